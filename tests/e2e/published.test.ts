import * as v from 'valibot';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const INFO = {
  release: '000007-20250405-100000',
  publishedAt: '2025-04-05T10:00:00Z',
  catalogueHash: 'x',
  products: 7,
  pages: 30,
};

test('the footer tells when the catalogue was published, without a shift', async ({ page }) => {
  await page.route('**/build-info.json', (route) => route.fulfill({ json: INFO }));
  await page.goto('/contact');
  const line = page.locator('[data-catalogue-date]');
  const before = await line.boundingBox();
  await expect(line).toHaveText('Catalogue updated 5 April 2025 at 3:30 pm');
  expect((await line.boundingBox())?.height).toBe(before?.height);
});

test('the API test tells what has changed since, prices included', async ({ page, api, shop }) => {
  const products = (await api.products()).length;
  await page.route('**/build-info.json', (route) => route.fulfill({ json: { ...INFO, products } }));
  const published = `Published 5 April 2025 at 3:30 pm with ${products} products. The API has ${products} now`;
  await page.goto('/api-test');
  await expect(page.getByText(`${published}, all as published.`)).toBeVisible();

  const path = 'products?page=1&limit=100';
  const list = v.parse(v.looseObject({ data: v.array(v.looseObject({})) }), await api.ask(path));
  const [first, ...others] = list.data;
  await page.route(`${API}/${path}`, (route) =>
    route.fulfill({
      json: { ...list, data: [{ ...first, regularPrice: 7_777, discountedPrice: null }, ...others] },
      headers: {
        'Access-Control-Allow-Origin': shop.url,
        'Access-Control-Allow-Credentials': 'true',
      },
    }),
  );
  await page.reload();
  await expect(page.getByText(`${published}: 1 at another price.`)).toBeVisible();
});
