import { PAGES } from '#page-table.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/sign-in.ts';

/** The payment comes last: the sign-in leads back to it. */
const GUARDED = Object.values(PAGES)
  .filter(({ isSignedIn }) => isSignedIn)
  .map(({ path, needsOrder }) => (needsOrder ? `${path}?orderId=1` : path))
  .sort();

test('[spec 6.roles.1] whoever has not signed in browses, fills a cart, reads, writes and tracks an order', async ({
  page,
  api,
}) => {
  const shopper = await api.newSignedIn();
  const order = await api.order(shopper, { status: 'shipped' });
  const product = await api.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );

  await page.goto('/');
  await page.getByRole('link', { name: 'View All' }).click();
  await expect(page.locator('.results .card').first()).toBeVisible();
  await page.goto(`/product/${product.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByRole('main').getByRole('link', { name: product.name })).toBeVisible();

  await page.goto('/refund');
  await expect(page.getByRole('article')).toContainText('0-7 working days');
  await page.goto('/contact');
  await page.getByRole('textbox', { name: 'Name' }).fill('Asha');
  await page.getByRole('textbox', { name: 'Email' }).fill('asha@example.com');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Mangoes');
  await page.getByRole('textbox', { name: 'Message' }).fill('When do they come?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Message Sent')).toBeVisible();

  await page.goto('/track-order');
  await page.getByLabel('Order Number').fill(order.id);
  await page.getByLabel('Email or Phone').fill(shopper.email);
  await page.getByRole('main').getByRole('button').click();
  await expect(page.getByText('Shipped')).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).not.toContain('auth_token');
});

test('[spec 6.roles.1, 6.roles.2] whoever has not signed in gets no further than the sign-in, which works', async ({
  page,
  api,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  for (const path of GUARDED) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
  }
  const shopper = await api.register();
  await signInHere(page, shopper);
  await expect(page).toHaveURL('/payment?orderId=1');
  expect(await page.evaluate(() => document.cookie)).toContain('auth_token');
  await page.goto('/register');
  await expect(page.getByRole('button', { name: 'Create account' })).toBeEnabled();
});

test('[spec 9.limits.2] below 768 px it is a phone’s page, from there on a desktop’s', async ({ page }) => {
  const bar = page.getByRole('navigation', { name: 'Quick links' });
  await page.setViewportSize({ width: 767, height: 900 });
  await page.goto('/');
  await expect(bar).toBeVisible();
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(bar).toBeHidden();
});
