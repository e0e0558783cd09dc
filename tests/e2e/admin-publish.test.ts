import type { Page } from 'playwright/test';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import { enterAdmin } from '#tests/support/admin.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { isPlain } from '#tests/support/samples.ts';

test.use({ publishes: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Finds the product in the admin's catalogue, and gives it this price. */
async function changePrice(desk: Page, name: string, rupees: number): Promise<void> {
  await desk.getByRole('link', { name: 'Catalogue' }).first().click();
  await desk.getByLabel('Search').fill(name);
  await desk.getByRole('button', { name: 'Search' }).click();
  await desk.getByRole('link', { name }).click();
  await desk.getByLabel('Regular price').fill(String(rupees));
  await desk.getByLabel('Sale price').fill('');
  await desk.getByRole('button', { name: 'Save' }).click();
  await expect(desk.getByRole('status')).toContainText(`${name} was saved.`);
}

test('an editor changes a price and publishes, and the open cart of a shopper says that it changed', async ({
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

  const desk = await (await browser.newContext()).newPage();
  await enterAdmin(desk, shop, 'editor');
  await changePrice(desk, product.name, product.price + 7);
  expect(await publishedPage()).not.toContain(now);

  await desk.getByRole('link', { name: 'Publish' }).first().click();
  const prices = desk.getByRole('table', { name: 'Prices that shoppers pay' });
  await expect(prices.getByRole('cell')).toHaveText([product.name, was, now]);
  await desk.getByRole('button', { name: 'Publish' }).click();
  await expect(desk.locator('#progress')).toBeVisible();
  await expect(desk.getByText('There is nothing to publish.')).toBeVisible({ timeout: 90_000 });
  expect(await publishedPage()).toContain(now);

  // The shopper's phone was in a pocket, and finds the network again.
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByText(`was ${was}, now ${now}`)).toBeVisible();
  await expect(page.getByRole('status').first()).toHaveText('1 item changed in price since you added it.');

  await desk.getByText('Go back one publication').click();
  await desk.getByRole('button', { name: 'Yes, go back' }).click();
  await expect(desk.getByRole('status')).toHaveText('The shop is as it was before the last publication.');
  expect(await publishedPage()).not.toContain(now);
  await expect(heading(desk, 'Publish')).toBeVisible();
  await desk.context().close();
});
