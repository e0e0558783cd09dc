import type { Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { ATTACKS } from '#tests/support/attacks.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { answerProduct, answerProducts, productDto } from '#tests/support/product-dtos.ts';

/*
 * Tests what page scripts render. React escapes the islands, and the linter forbids dangerouslySetInnerHTML.
 * The Content Security Policy is off, because escaping must work without it.
 */
test.use({ bypassCSP: true });

const HOSTILE = [...ATTACKS, ...ATTACKS.map((attack) => `</title></textarea>${attack}`)];
const at = (index: number): string => HOSTILE[index % HOSTILE.length] ?? '';

const product = productDto({
  id: 'hostile',
  title: at(0),
  description: HOSTILE.join('\n'),
  category: at(1),
  parentCategory: at(2),
  images: HOSTILE.slice(0, 10).map((url) => ({ url })),
  attributes: [
    { key: 'Size', values: HOSTILE.slice(0, 20) },
    { key: 'Color', values: HOSTILE.slice(20, 40) },
    ...HOSTILE.map((attack) => ({ key: attack, values: [attack], metricUnit: attack })),
  ],
});

/** Returns a function that reports whether any attack has run. */
async function watch(page: Page): Promise<() => Promise<boolean>> {
  await page.addInitScript(() =>
    Object.assign(window, { pwned: () => Object.assign(window, { ran: true }) }),
  );
  return () =>
    page.evaluate(async () => {
      // This image fails after all earlier ones with the same address.
      await new Promise((resolve) => {
        Object.assign(window, { control: resolve });
        document.body.insertAdjacentHTML('beforeend', '<img src=x alt="" hidden onerror="control()">');
      });
      return 'ran' in window;
    });
}

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST, /ERR_/));

test('a hostile product and listing are escaped', async ({ page }) => {
  const ran = await watch(page);
  await answerProduct(page, product);
  await page.goto('/product/hostile');
  await expect(page.getByRole('heading', { level: 1 }).filter({ hasText: at(0) })).toBeVisible();
  await expect(page.locator('.product-text p').first()).toContainText(at(3));
  expect(await ran()).toBe(false);
  await answerProducts(
    page,
    HOSTILE.slice(0, 12).map((title, index) => ({ ...product, id: `h${index}`, title })),
  );
  await page.goto('/products?parentCategory=Nowhere');
  await expect(page.getByRole('main')).toContainText(at(11));
  await page.mouse.wheel(0, 2_000);
  expect(await ran()).toBe(false);
});

test('hostile store texts and errors are escaped', async ({ page }) => {
  const ran = await watch(page);
  const [name, address] = [at(0), at(5)];
  const record = {
    storeName: name,
    companyName: at(1),
    companyAddress: address,
    companyEmail: at(3),
    companyPhone: at(4),
    companyLogoUrl: at(16),
    description: at(2),
    categories: HOSTILE.slice(0, 5),
    categoryImages: Object.fromEntries(HOSTILE.map((attack) => [attack, attack])),
    policies: Object.fromEntries(HOSTILE.map((attack) => [attack, attack])),
  };
  await page.route(`${API}/storeInfo`, (route) => route.fulfill({ json: record }));
  await page.goto('/contact');
  await expect(page.getByRole('contentinfo')).toContainText(address);
  expect(await ran()).toBe(false);
  for (const [index, error] of [at(0), at(2), at(9)].entries()) {
    await page.route(`${API}/users/authorize`, (route) => route.fulfill({ status: 422, json: { error } }));
    await page.goto('/login');
    await page.getByLabel('Email').fill(`asha${index}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('mango-season');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: error }).first()).toBeVisible();
    expect(await ran()).toBe(false);
  }
});
