import { ADMIN_URL, addToStaff, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('error, password, not-found and confirmation pages pass axe and fit the screen', async ({
  page,
  shop,
}) => {
  await page.goto(`${ADMIN_URL}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectFits(page);
  const { link } = await addToStaff(shop, 'packer');
  await page.goto(link);
  await expectFits(page);
  await enterAdmin(page, shop, 'owner');
  await page.goto(`${ADMIN_URL}/nothing`);
  await expectFits(page);
  await page.goto(`${ADMIN_URL}/staff`);
  await page.getByRole('link', { name: 'The packer' }).first().click();
  await page.getByText(/^Remove The packer/).click();
  await expectFits(page);
});
