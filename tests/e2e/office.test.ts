import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { addToStaff, enterOffice, expectFits, OFFICE_PASSWORD, OFFICE_URL } from '#tests/support/office.ts';
import { tabTo } from '#tests/support/page.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** A field or a button of this name. */
const named = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).or(page.getByRole('button', { name }));

test('signs in and out with the keyboard alone', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const { email, link } = await addToStaff(shop, 'packer');
  await page.goto(link);
  await tabTo(named(page, 'New password'), 20);
  await page.keyboard.type(OFFICE_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Hello The packer')).toBeVisible();
  await tabTo(named(page, 'Sign out'), 20);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('You are signed out.');

  await page.goto(`${OFFICE_URL}/password`);
  await tabTo(named(page, 'Email'), 20);
  await page.keyboard.type(email);
  await tabTo(named(page, 'Password'), 20);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password.');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await tabTo(named(page, 'Password'), 20);
  await page.keyboard.type(OFFICE_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Change your password')).toBeVisible();
});

test('an owner adds an editor, whose link works elsewhere', async ({ page, shop, browser }) => {
  await enterOffice(page, shop, 'owner');
  await page.goto(`${OFFICE_URL}/staff`);
  await page.getByRole('link', { name: 'Add a person' }).click();
  await page.getByLabel('Name').fill('Bina');
  const email = `bina.${Date.now()}@example.com`;
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Editor').check();
  await page.getByRole('button', { name: 'Add' }).click();
  const link = await page.locator('.secret').innerText();
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('Bina was added.');

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await theirs.goto(link);
  await theirs.getByLabel('New password').fill(OFFICE_PASSWORD);
  await theirs.getByRole('button').click();
  await expect(heading(theirs, 'Hello Bina')).toBeVisible();
  await other.close();

  await page.getByRole('link', { name: 'Log', exact: true }).first().click();
  const row = page.getByRole('row').filter({ hasText: `staff ${email}` });
  await expect(row.filter({ hasText: 'role: editor' })).toContainText('added');
});

test('what a press shows passes axe and fits', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  await page.goto(`${OFFICE_URL}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectFits(page);
  const { link } = await addToStaff(shop, 'packer');
  await page.goto(link);
  await expectFits(page);
  await enterOffice(page, shop, 'owner');
  await page.goto(`${OFFICE_URL}/nothing`);
  await expectFits(page);
  await page.goto(`${OFFICE_URL}/staff`);
  await page.getByRole('link', { name: 'The packer' }).first().click();
  await page.getByText(/^Remove The packer/).click();
  await expectFits(page);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('one signs in and changes a role', async ({ page, shop, browser }) => {
    // The link is opened where there is JavaScript: no server may see what follows its #.
    const context = await browser.newContext({ javaScriptEnabled: true });
    const owner = await enterOffice(await context.newPage(), shop, 'owner');
    await context.close();
    await page.goto(`${OFFICE_URL}/sign-in`);
    await page.getByLabel('Email').fill(owner);
    await page.getByLabel('Password').fill(OFFICE_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const { email } = await addToStaff(shop, 'packer');
    await page.goto(`${OFFICE_URL}/staff`);
    await page.getByRole('row', { name: email }).getByRole('link').click();
    await page.getByLabel('Role').selectOption('Editor');
    await page.getByRole('button', { name: 'Change the role' }).click();
    await expect(page.getByRole('status')).toHaveText('The packer is now Editor.');
  });
});
