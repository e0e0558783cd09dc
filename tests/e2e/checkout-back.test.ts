import type { Page } from 'playwright/test';
import { expectHiddenOnReturn, goBack } from '#tests/support/back.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

const NAME = 'Meera Kulkarni';

async function typeName(page: Page): Promise<void> {
  await page.goto('/checkout');
  await page.getByLabel('Full name').fill(NAME);
}

test('[fault 44] after a sign-out Back shows no address that was typed', async ({
  page,
  context,
  signedInShopper: _,
  filledCart: __,
}) => {
  await typeName(page);
  await expectHiddenOnReturn(page, context, [NAME]);
});

test('[fault 35] whoever is still signed in finds it again', async ({
  page,
  signedInShopper: _,
  filledCart: __,
}) => {
  await typeName(page);
  await page.goto('/contact');
  await goBack(page);
  await expect(page.getByLabel('Full name')).toHaveValue(NAME);
});

test('[fault 44] signed out in one tab, the address typed in another is not there for whoever comes next', async ({
  page,
  context,
  shop,
  api,
  signedInShopper: _,
  filledCart: __,
}) => {
  await typeName(page);
  const other = await context.newPage();
  await other.goto('/account');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await expect(other).toHaveURL(/\/$/);
  const { token } = await api.newSignedIn();
  await context.addCookies([{ name: 'auth_token', value: token, url: shop.url, sameSite: 'Lax' }]);
  await page.goto('/checkout');
  await expect(page.getByLabel('Full name')).toHaveValue('');
});
