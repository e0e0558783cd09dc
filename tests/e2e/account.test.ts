import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { AccountSchema } from '#api/schema/account.ts';
import { formatMemberSince } from '#domain/date.ts';
import { paths } from '#paths.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import {
  expectAlive,
  openTranslated,
  reportNoNetwork,
  translatePage,
} from '#tests/support/other-programs.ts';
import { signInHere } from '#tests/support/page.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const ACCOUNT = `${API}/accountInfo`;

test('[spec 2.account.1, 2.account.2, 2.account.4, 2.account.5, 3.user.1, 6.roles.3, 2.account.3, 4.auth.3, 4.auth.7, 7.users.5, 8.notices.3] shows the account after Try Again, and ends the session here, at the server and after a sign-out in another tab', async ({
  page,
  context,
  api,
  signedInShopper: { firstName, lastName, email, token },
}) => {
  await page.route(ACCOUNT, (route) => route.fulfill({ status: 404, json: {} }));
  await reportNoNetwork(page);
  await openTranslated(page, '/account');
  const text = 'Failed to load account information (Status: 404)';
  await expect(page.getByRole('main').getByText(text)).toBeVisible();
  await expect(page.locator('[data-toasts]')).toContainText('Error');
  await page.unroute(ACCOUNT);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.locator('#account-name')).toBeFocused();
  await expect(page.locator('#account-name')).toHaveText(`${firstName} ${lastName}`);
  await expect(page.getByText(email)).toBeVisible();
  const { createdAt } = v.parse(AccountSchema, await api.ask('accountInfo', undefined, token));
  await expect(page.getByText(formatMemberSince(createdAt))).toBeVisible();
  await expect(page.getByRole('link', { name: /^My Orders See/ })).toHaveAttribute('href', '/orders');
  await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  await expectAlive(page);
  const session = await context.cookies();
  await context.clearCookies();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page).toHaveURL(/\/login$/);

  await context.addCookies(session);
  await openTranslated(page, '/account');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Logged out', { exact: true })).toBeVisible();
  await expect(page.getByText('You have been logged out successfully.')).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('auth_token');
  await expect.poll(async () => (await api.send('accountInfo', { token })).status).toBe(401);
});

const NEW = 'monsoon-mangoes';

test('a customer changes name and password, and stays signed in only on this device', async ({
  page,
  signedInShopper: shopper,
}) => {
  await page.goto(paths.account);
  await page.getByRole('link', { name: 'Change your account' }).click();
  const form = (name: string) => page.getByRole('form', { name });
  const name = form('Your name');
  await expect(name.getByLabel('First name')).toHaveValue(shopper.firstName);
  await expect(name.getByLabel('Last name')).toHaveValue(shopper.lastName);
  await translatePage(page);
  await name.getByLabel('First name').fill('Uma');
  await name.getByRole('button').click();
  await expect(page.locator('#account-name')).toHaveText(`Uma ${shopper.lastName}`);

  await openTranslated(page, paths.accountChange);
  const password = form('Your password');
  await expect(password.locator('[autocomplete=username]')).toHaveValue(shopper.email);
  const change = async (current: string) => {
    await password.getByLabel('Current password', { exact: true }).fill(current);
    await password.getByLabel('New password', { exact: true }).fill(NEW);
    await password.getByLabel('Confirm password', { exact: true }).fill(NEW);
    await password.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not my password');
  await expect(password.getByRole('alert')).toContainText('This is not your password.');
  await expectAlive(page);
  await change(shopper.password);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('You are signed out on all other devices.')).toBeVisible();
  await expect(page.locator('#account-name')).toHaveText(`Uma ${shopper.lastName}`);
});

test('an email changes after both addresses confirm', async ({ page, shop, signedInShopper: shopper }) => {
  const email = `new.${shopper.email}`;
  await page.goto(paths.accountChange);
  const form = page.getByRole('form', { name: 'Your email' });
  await form.getByLabel('New email').fill(email);
  await form.getByLabel('Your password', { exact: true }).fill(shopper.password);
  await form.getByRole('button', { name: 'Change the email' }).click();
  await expect(page.getByText('Emails sent')).toBeVisible();
  const waiting = page.getByText(
    `Your email address changes to ${email} once both addresses have confirmed it.`,
  );
  await expect(waiting).toBeVisible();
  const confirm = async (address: string) => {
    const email = await shop.email(address, /^Confirm/);
    await page.goto(/http\S+\/account-change#\S+/.exec(email?.text ?? '')?.[0] ?? '');
    await expect(page).toHaveURL(/\/account-change$/);
    await page.getByRole('button', { name: 'Confirm the email' }).click();
  };
  await confirm(email);
  await expect(page.getByText('Now open the link in the email to the other address.')).toBeFocused();
  await confirm(shopper.email);
  await expect(page.getByText('The email of your account is confirmed.')).toBeFocused();
  await page.context().clearCookies();
  await page.goto(paths.login);
  await signInHere(page, { email, password: shopper.password });
  await expect(page).toHaveURL(/:\d+\/$/);
});

test('a customer downloads all stored data, and deletes the account with an emailed link', async ({
  page,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const { id } = await api.order(shopper);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Your data' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('everything-about-me.json');
  const file: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(file).toMatchObject({ account: [{ email: shopper.email }], orders: [{ id }] });

  await translatePage(page);
  await page.getByLabel('Your password').fill(shopper.password);
  await page.getByRole('button', { name: 'Email me the link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'We have sent an email' })).toBeFocused();
  await expectAlive(page);
  const email = await shop.email(shopper.email, /^Delete your account/);
  const link = /http\S+\/account-data#\S+/.exec(email?.text ?? '')?.[0] ?? '';
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page).toHaveURL(/\/account-data$/);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeFocused();
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login$/);
  await shop.email(shopper.email, / is deleted$/);

  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('This link no longer works. Please ask for a new one.')).toBeVisible();
});
