import { policy } from '#server/store/stored-store.ts';
import { ADMIN_URL, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ changesCatalogue: true });

/** A preview may load neither the shop's fonts nor scripts, including those of the test runner. */
const KEPT_OUT = /^(?:Loading the font .* violates|Blocked script execution in .*\/preview')/;

test('an editor writes and previews a policy', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(KEPT_OUT);
  await enterAdmin(page, shop, 'editor');
  await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
  await page.getByRole('link', { name: 'Return Policy' }).click();
  const text = page.getByLabel('Text');
  await page.getByText('Words that are filled in').click();
  await text.fill('# Returns\n\nAsk .\n\n<script>x()</script>');
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(15, 15));
  await page.getByRole('button', { name: '{{companyEmail}}' }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('!');
  await expectFits(page);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = await opened;
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Return Policy');
  const article = preview.getByRole('article');
  await expect(article.getByRole('heading', { level: 2 })).toHaveText('Returns');
  await expect(article).toContainText('Ask care@freshfruits.example!.');
  const widthOf = (of: typeof page) =>
    of.getByRole('article').evaluate((found) => [found.clientWidth, getComputedStyle(found).fontSize]);
  const live = await page.context().newPage();
  await live.goto(`${shop.url}/return`);
  await expect.poll(() => widthOf(preview)).toEqual(await widthOf(live));
  await Promise.all([preview.close(), live.close()]);
  expect(await policy(shop.api.db, 'return')).toBeUndefined();
});

test('an editor previews the home page before saving it', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(KEPT_OUT);
  await enterAdmin(page, shop, 'editor');
  await page.goto(`${ADMIN_URL}/store`);
  await page.getByLabel('Headline of the home page').fill('Mangoes\nare here');
  await page.getByRole('textbox', { name: 'Delivery costs (optional)' }).fill('60');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Preview the home page' }).click();
  const preview = await opened;
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Mangoesare here');
  await expect(preview.locator('.trust')).toContainText('Shipping ₹60 on every order');
  const picture = preview.locator('.hero img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(preview.getByText('Nothing is saved yet.')).toBeInViewport();
});
