import * as v from 'valibot';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, openTranslated } from '#tests/support/other-programs.ts';

const STORE = `${API}/storeInfo`;

test('[spec 2.apitest.1, 2.apitest.2, 2.apitest.4] shows data and headers without secrets, and is not indexed', async ({
  page,
  signedInShopper,
}) => {
  await page.route(STORE, (route) =>
    route.fulfill({
      json: { storeName: 'Fresh Fruits' },
      headers: {
        'Access-Control-Expose-Headers': 'authorization, set-cookie, x-shop',
        Authorization: 'Bearer secret',
        'X-Shop': 'fruit',
      },
    }),
  );
  await page.goto('/api-test');
  await expect(page.getByText('Connected: status 200')).toBeVisible();
  await expect(page.locator('pre')).toContainText('"storeName": "Fresh Fruits"');
  await expect(page.getByRole('definition').filter({ hasText: 'fruit' })).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: /^(authorization|set-cookie)$/i })).toHaveCount(0);
  const text = await page.locator('main').innerText();
  expect(text).not.toContain('secret');
  expect(text).not.toContain(signedInShopper.token);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
});

test('[spec 2.apitest.3, 8.apitest.1, 8.apitest.2] shows a failed request, and why a response is unreadable', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /storeInfo/);
  const again = page.getByRole('button', { name: 'Test again' });
  await page.route(STORE, (route) => route.fulfill({ status: 500, json: {} }));
  await openTranslated(page, '/api-test');
  await expect(page.getByText('Connection failed. Check console for details.')).toBeVisible();
  await page.route(STORE, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Hotel Aurora</h1>' }),
  );
  await again.click();
  await expect(page.getByText('Unexpected error: The answer is not JSON', { exact: true })).toBeVisible();
  expect(await page.locator('body').innerText()).not.toMatch(/h1>|hotel|aurora/i);
  await page.route(STORE, (route) => route.abort());
  await again.click();
  await expect(page.getByText('Connection failed. Check console for details.')).toBeVisible();
  await page.unrouteAll();
  await again.click();
  await expect(page.getByText('Connected: status 200')).toBeVisible();
  await expectAlive(page);
});

const INFO = {
  release: '000007-20250405-100000',
  publishedAt: '2025-04-05T10:00:00Z',
  catalogueHash: 'x',
  products: 7,
  pages: 30,
};

test('the footer shows when the catalogue was published, without a layout shift', async ({ page }) => {
  await page.route('**/build-info.json', (route) => route.fulfill({ json: INFO }));
  await page.goto('/contact');
  const line = page.locator('[data-catalogue-date]');
  const before = await line.boundingBox();
  await expect(line).toHaveText('Catalogue updated 5 April 2025 at 3:30 pm');
  expect((await line.boundingBox())?.height).toBe(before?.height);
});

test('the API test page counts the changes since, including prices', async ({ page, api }) => {
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
    }),
  );
  await page.reload();
  await expect(page.getByText(`${published}: 1 at another price.`)).toBeVisible();
});
