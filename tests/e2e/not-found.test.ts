import { rm } from 'node:fs/promises';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

/* One test removes pages, like a build without the capability passwordReset. */
test.use({ ownSite: true });

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('[spec 2.notfound.3] an unknown path of one segment becomes /404', async ({ page }) => {
  for (const path of ['/imprint', '/404', '/constructor']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/404$/);
    await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  }
});

test('an address opens its page in capital letters, and with what a text leaves behind it', async ({
  page,
}) => {
  for (const [typed, path] of [
    ['/Imprint', '/404'],
    ['/CART', '/cart'],
    ['/Products?page=2', '/products?page=2'],
    ['/PRODUCT/NEW-1', '/product/new-1'],
    ['/product/new-1).', '/product/new-1'],
    ['/products/new-1%20', '/product/new-1'],
    ['/product/%E2%80%8Bnew-1%E0%A5%A4', '/product/new-1'],
    ['/product/new-1%252C', '/product/new-1'],
    ['/product/new-1%C2%A0%E2%9D%A4%EF%B8%8F%60%0A', '/product/new-1'],
    ['/product/%E2%81%A6new-1%E2%81%A9%', '/product/new-1'],
    ['/product/new-1&utm_source=x', '/product/new-1'],
    ['/product/new-1%3Futm_source=x', '/product/new-1'],
    ['/terms,', '/terms'],
    ['.//terms', '/terms'],
  ] as const) {
    await page.goto(typed);
    await expect(page).toHaveURL(path);
  }
});

test('[spec 2.notfound.4, 2.notfound.6] /forgot-password becomes /404 with help', async ({ page, shop }) => {
  for (const path of ['/forgot-password', '/reset-password']) {
    await rm(`${shop.directory}${path}.html`, { force: true });
    await page.goto(path);
    await expect(page).toHaveURL(/\/404$/);
    const main = page.getByRole('main');
    await expect(main).toContainText('Passwords cannot be reset online.');
    await expect(main.getByRole('link', { name: 'contact us', exact: true })).toHaveAttribute(
      'href',
      '/contact',
    );
    await page.reload();
    await expect(main).toContainText('Passwords cannot be reset online.');
  }
});
