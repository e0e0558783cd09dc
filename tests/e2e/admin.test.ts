import type { Page } from 'playwright/test';
import { ADMIN_PASSWORD, ADMIN_URL, addToStaff, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { tabTo } from '#tests/support/page.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

const named = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).or(page.getByRole('button', { name }));

test('a staff member signs in and out by keyboard', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const { email, link } = await addToStaff(shop, 'packer');
  await page.goto(link);
  await tabTo(named(page, 'New password'), 20);
  await page.keyboard.type(ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Hello The packer')).toBeVisible();
  await tabTo(named(page, 'Sign out'), 20);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('You are signed out.');

  await page.goto(`${ADMIN_URL}/password`);
  await tabTo(named(page, 'Email'), 20);
  await page.keyboard.type(email);
  await tabTo(named(page, 'Password'), 20);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password.');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await tabTo(named(page, 'Password'), 20);
  await page.keyboard.type(ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Change your password')).toBeVisible();
});

test('error, password, not-found and confirmation pages pass axe and fit the screen', async ({
  page,
  shop,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
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
