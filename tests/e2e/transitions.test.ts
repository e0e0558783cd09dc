import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

/* An unhandled rejection fails a test by itself. */

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

for (const [link, arrival] of [
  ['/nonsense', '/404'],
  ['/forgot-password', '/404'],
  ['/orders', '/login'],
] as const) {
  test(`a transition that a redirect to ${arrival} interrupts on the way to ${link} is no error`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    await page.goto('/');
    await page.evaluate((path) => location.assign(path), link);
    await expect(page).toHaveURL(arrival);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Left again while its own transition runs.
    await page.evaluate(() => location.assign('/contact'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us');
  });
}
