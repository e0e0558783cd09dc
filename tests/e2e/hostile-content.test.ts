import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { answerProduct, answerProducts, productDto } from '#tests/support/product-dtos.ts';

/* What page scripts render. The Content Security Policy is off, because escaping must work without it. */
test.use({ bypassCSP: true });

const ATTACK = '"></title></textarea><img src=x onerror="window.ran = true"><b>x</b>';

test('hostile texts of products and of the store are shown as text', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  const product = productDto({
    ...{ id: 'hostile', title: ATTACK, description: ATTACK, category: ATTACK, parentCategory: ATTACK },
    attributes: ['Size', 'Color', ATTACK].map((key) => ({ key, values: [ATTACK], metricUnit: ATTACK })),
  });
  const record = { storeName: ATTACK, companyAddress: ATTACK, categories: [ATTACK] };
  await page.route(`${API}/storeInfo`, (route) => route.fulfill({ json: record }));
  const expectText = async () => {
    await expect(page.getByRole('contentinfo')).toContainText(ATTACK);
    await expect(page.locator('b', { hasText: /^x$/ })).toHaveCount(0);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  };
  await answerProduct(page, product);
  await page.goto('/product/hostile');
  await expect(page.getByRole('heading', { level: 1 }).filter({ hasText: ATTACK })).toBeVisible();
  await expect(page.locator('.product-text p').first()).toContainText(ATTACK);
  await expectText();
  await answerProducts(page, [product]);
  await page.goto('/products?parentCategory=Nowhere');
  await expect(page.getByRole('main')).toContainText(ATTACK);
  await expectText();
});
