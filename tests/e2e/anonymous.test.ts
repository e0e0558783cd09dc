import { PAGES } from '#page-table.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/page.ts';

/** The payment comes last: the sign-in leads back to it. */
const GUARDED = Object.values(PAGES)
  .filter(({ isSignedIn }) => isSignedIn)
  .map(({ path, needsOrder }) => (needsOrder ? `${path}?orderId=1` : path))
  .sort();

test('[spec 2.guard.1, 2.guard.3, 6.roles.1, 6.roles.2] a visitor gets no further than the sign-in, which leads back', async ({
  page,
  api,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  for (const path of GUARDED) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
  }
  const shopper = await api.register();
  await signInHere(page, shopper);
  await expect(page).toHaveURL('/payment?orderId=1');
  expect(await page.evaluate(() => document.cookie)).toContain('auth_token');
  await page.goto('/register');
  await expect(page.getByRole('button', { name: 'Create account' })).toBeEnabled();
});
