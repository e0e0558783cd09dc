import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] Back after a sign-out shows no account', async ({ page, signedInShopper }) => {
  await page.goto('/account');
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.evaluate(() => {
    history.back();
  });
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(signedInShopper.email)).toHaveCount(0);
});
