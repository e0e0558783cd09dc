import type { Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { enterAdmin } from '#tests/support/admin.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { isPlain } from '#tests/support/samples.ts';

test.use({ publishes: true });
test.slow();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Sets the price of a product in the admin. */
async function changePrice(admin: Page, name: string, rupees: number): Promise<void> {
  await admin.getByRole('link', { name: 'Catalogue' }).first().click();
  await admin.getByLabel('Search').fill(name);
  await admin.getByRole('button', { name: 'Search' }).click();
  await admin.getByRole('link', { name }).click();
  await admin.getByLabel('Regular price').fill(String(rupees));
  await admin.getByLabel('Sale price').fill('');
  await admin.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('status')).toContainText(`${name} was saved.`);
}

test('an editor publishes a new price, the shopper’s open cart shows it, and a rollback restores the old one', async ({
  page,
  context,
  browser,
  api,
  shop,
  fillCart,
}) => {
  const product = await api.product(isPlain);
  const [was, now] = [formatRupees(product.price), formatRupees(product.price + 7)];
  const publishedPage = async () => (await page.request.get(`${shop.url}/product/${product.id}`)).text();
  await fillCart([toLine(product, { size: '', color: '', quantity: 2 })]);
  await page.goto('/cart');
  await expect(page.getByText(`${was} each`)).toBeVisible();

  const admin = await (await browser.newContext()).newPage();
  await enterAdmin(admin, shop, 'editor');
  await changePrice(admin, product.name, product.price + 7);
  expect(await publishedPage()).not.toContain(now);

  await admin.getByRole('link', { name: 'Publish' }).first().click();
  await expect(admin.getByRole('listitem').filter({ hasText: product.name })).toHaveText(
    `${product.name}: ${was} → ${now}`,
  );
  // A proxy answers in the server's place, with a page of its own.
  await admin.route('**/publish/progress', (route) => route.fulfill({ body: '<h1>' }), { times: 1 });
  await admin.getByRole('button', { name: 'Publish' }).click();
  await expect(admin.locator('#progress')).toBeVisible();
  // A build takes as long as it takes.
  await admin.getByText('There is nothing to publish.').waitFor();
  expect(await publishedPage()).toContain(now);

  // The cart checks its prices again when the network is back.
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByText(`was ${was}, now ${now}`)).toBeVisible();
  await expect(page.getByRole('status').first()).toHaveText('1 item changed in price since you added it.');

  await admin.getByText('Go back one publication').click();
  await admin.getByRole('button', { name: 'Yes, go back' }).click();
  await expect(admin.getByRole('status')).toHaveText('The shop is as it was before the last publication.');
  expect(await publishedPage()).not.toContain(now);
  await expect(heading(admin, 'Publish')).toBeVisible();
  await admin.context().close();
});
