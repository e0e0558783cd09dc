import type { Page } from 'playwright/test';
import { PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, fillByProgram, openTranslated, translatePage } from '#tests/support/other-programs.ts';
import { hold, signInHere } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const AUTHORIZE = `${API}/users/authorize`;
const NEW = 'monsoon-mangoes';

const signIn = (page: Page, email: string, password: string): Promise<void> =>
  signInHere(page, { email, password });

const alertOf = (page: Page) => page.getByRole('main').getByRole('alert');
const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true });

/** The payment is last: the test signs in after it, and returns to it. */
const GUARDED = Object.values(PAGES)
  .filter(({ isSignedIn }) => isSignedIn)
  .map(({ path, needsOrder }) => (needsOrder ? `${path}?orderId=1` : path))
  .sort();

test('[spec 2.guard.1, 2.guard.3, 2.checkout.7, 8.checkout.5, 6.roles.2] sends a visitor from each private page to the sign-in, and back afterwards', async ({
  page,
  api,
}) => {
  for (const path of GUARDED) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
    if (path !== paths.checkout) continue;
    await expect(page.getByText('Login Required')).toBeVisible();
    await expect(page.getByText('Please login to proceed with checkout')).toBeVisible();
  }
  const shopper = await api.register();
  await signInHere(page, shopper);
  await expect(page).toHaveURL('/payment?orderId=1');
  await page.goto('/register');
  await expect(page.getByRole('button', { name: 'Create account' })).toBeEnabled();
});

test('shows an error if the browser refuses cookies', async ({ page, api }) => {
  const shopper = await api.register();
  await page.addInitScript(() =>
    Object.defineProperty(Document.prototype, 'cookie', { configurable: true, get: () => '', set: () => {} }),
  );
  await page.goto('/login');
  await signInHere(page, shopper);
  await expect(alertOf(page)).toContainText(
    'This browser refuses the cookie that keeps you signed in. Allow cookies, then sign in again.',
  );
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expect(page).toHaveURL(/\/login$/);
});

test('[spec 2.login.2, 2.login.5, 2.login.6, 2.guard.4, 4.auth.1, 4.auth.6, 5.login.5, 8.login.1, 8.notices.1] an invalid form sends nothing, a refusal shows the server’s text, and one request signs in', async ({
  page,
  api,
}) => {
  const shopper = await api.register();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url() === AUTHORIZE) sent += 1;
  });
  await openTranslated(page, '/login');
  await signIn(page, 'meera', '12345');
  const alert = alertOf(page);
  await expect(alert).toBeFocused();
  for (const [button, type] of [
    ['Show password', 'text'],
    ['Hide password', 'password'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expect(passwordOf(page)).toHaveAttribute('type', type);
  }
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Error: Invalid email address');
  await expectNoAxeFindings(page);
  await alert.getByRole('link', { name: 'Password must be at least 6 characters' }).click();
  await expect(passwordOf(page)).toBeFocused();
  expect(sent).toBe(0);
  expect(new URL(page.url()).search).toBe('');

  const email = page.getByLabel('Email');
  const before = await passwordOf(page).boundingBox();
  await email.fill('meera@');
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await email.fill(shopper.email);
  await expect(email).not.toHaveAttribute('aria-invalid');
  await expect(email).toHaveAccessibleDescription('');
  expect(await passwordOf(page).boundingBox()).toEqual(before);
  await expect(passwordOf(page)).toHaveAttribute('aria-invalid', 'true');

  await signIn(page, shopper.email, 'wrong-password');
  await expect(alert).toHaveText('Invalid email or password.');
  await expect(alert).toBeFocused();
  await expect(page.locator('[data-toasts]')).toContainText('Login failed');
  await expect(email).toHaveValue(shopper.email);
  const go = await hold(page, AUTHORIZE);
  await fillByProgram(page, { email: `  ${shopper.email.toUpperCase()} `, password: shopper.password });
  await passwordOf(page).press('Enter');
  const working = page.getByRole('button', { name: 'Signing in...' });
  await expect(working).toBeVisible();
  await expectAlive(page);
  await working.press('Enter');
  await email.press('Enter');
  go();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Logged in successfully.')).toBeVisible();
  expect(sent).toBe(2);
});

test('[spec 5.login.3, 2.guard.5] Remember me stores the email, but not the password, and no other site is opened', async ({
  page,
  api,
}) => {
  const shopper = await api.register();
  await page.goto('/login');
  await page.evaluate(() => sessionStorage.setItem('fresh-fruits.from', '//evil.example/account'));
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await signInHere(page, shopper);
  await expect(page).toHaveURL(/localhost:\d+\/$/);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveValue(shopper.email);
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(shopper.password);
});

test('an emailed link resets a forgotten password once, and the new one signs in', async ({
  page,
  api,
  shop,
}) => {
  const { email } = await api.register();
  await page.goto(paths.resetPassword);
  await expect(page.getByText('open the link in our email again')).toBeVisible();
  await page.goto(paths.login);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('button', { name: 'Send me a link' })).toBeVisible();
  await translatePage(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'an email with a link is on its way' }),
  ).toBeFocused();
  await expectAlive(page);
  await page.getByRole('link', { name: 'No email? Ask again' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();

  const received = await shop.email(email, /password/);
  const link = /http\S+\/reset-password#\S+/.exec(received?.text ?? '')?.[0] ?? '';
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  // As pasted from a sentence, with its punctuation.
  await page.goto(`${link}>.`);
  await expect(page).toHaveURL(/\/reset-password$/);
  // A phone may discard the page while the customer thinks of a password.
  await page.reload();
  await translatePage(page);
  const choose = async () => {
    await fillByProgram(page, { password: NEW, confirmPassword: NEW });
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await choose();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Password changed')).toBeVisible();
  expect(sent.filter((request) => request.includes(link.split('#')[1] ?? ''))).toEqual([]);
  await signIn(page, email, NEW);
  await expect(page).toHaveURL(/:\d+\/$/);

  await page.goto(link);
  await choose();
  await expect(alertOf(page)).toContainText('This link no longer works.');
  await page.getByRole('link', { name: 'Ask for a new one' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});
