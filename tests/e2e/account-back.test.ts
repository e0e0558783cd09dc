import { expectHiddenOnReturn, goBack, watchReturn } from '#tests/support/back.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] Back after a sign-out shows no account', async ({ page, signedInShopper }) => {
  await page.goto('/account');
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  const shown = await watchReturn(page);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await goBack(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await shown()).toContain('Back: ');
  expect(await shown()).not.toContain(signedInShopper.email);
});

test('[fault 44] after a sign-out in another tab Back shows no account', async ({
  page,
  context,
  signedInShopper,
}) => {
  await page.goto('/account');
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  await expectHiddenOnReturn(page, context, [signedInShopper.email]);
});
