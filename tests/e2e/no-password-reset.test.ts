import { rm } from 'node:fs/promises';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

/* A site as it is built where the API offers no reset of passwords: without the two pages. */

test.use({ ownSite: true });

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

for (const path of ['/forgot-password', '/reset-password']) {
  test(`[spec 2.notfound.4, 2.notfound.6] ${path} becomes /404 and helps`, async ({ page, shop }) => {
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
  });
}
