import type { Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold, signInHere } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const AUTHORIZE = `${API}/users/authorize`;

const signIn = (page: Page, email: string, password: string): Promise<void> =>
  signInHere(page, { email, password });

const alertOf = (page: Page) => page.getByRole('main').getByRole('alert');
const toast = (page: Page) => page.locator('[data-toasts]');

test('[spec 2.login.2] the toggle shows and hides the password', async ({ page }) => {
  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('mango-season');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await expect(password).toHaveValue('mango-season');
});

test('[fault 23] says that the browser refuses cookies, and stays', async ({ page, api }) => {
  const shopper = await api.register();
  await page.addInitScript(() =>
    Object.defineProperty(Document.prototype, 'cookie', { configurable: true, get: () => '', set: () => {} }),
  );
  await page.goto('/login');
  await signIn(page, shopper.email, shopper.password);
  const words =
    'This browser refuses the cookie that keeps you signed in. Allow cookies, then sign in again.';
  await expect(alertOf(page)).toContainText(words);
  await expect(toast(page)).toContainText(words);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expect(page).toHaveURL(/\/login$/);
});

test('[spec 5.login.1, 5.login.2, 5.login.5] an invalid form sends nothing', async ({ page }) => {
  let sent = 0;
  await page.route(AUTHORIZE, (route) => {
    sent += 1;
    return route.abort();
  });
  await page.goto('/login');
  await signIn(page, 'meera', '12345');
  const summary = alertOf(page);
  await expect(summary).toBeFocused();
  await expect(summary).toContainText('Invalid email address');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Invalid email address/);
  await expectNoAxeFindings(page);
  await summary.getByRole('link', { name: 'Password must be at least 6 characters' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  expect(sent).toBe(0);
  expect(new URL(page.url()).search).toBe('');
});

test('a field that has been corrected is told as wrong no more, and nothing moves', async ({ page }) => {
  await page.goto('/login');
  await signIn(page, 'meera', '12345');
  const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })];
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  const before = await password.boundingBox();
  await email.fill('meera@');
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await email.fill('meera@example.com');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await expect(email).toHaveAccessibleDescription('');
  expect(await password.boundingBox()).toEqual(before);
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await email.fill('meera');
  await expect(email).toHaveAccessibleDescription('Error: Invalid email address');
});

test('[spec 2.login.5, 2.login.6, 2.guard.4, 6.roles.2, 4.auth.1, 8.notices.1, 9.session.1, 4.forms.1] signing in works once, and goes home', async ({
  page,
  api,
  context,
}) => {
  const shopper = await api.register();
  let sent = 0;
  const go = await hold(page, AUTHORIZE, async (route) => {
    sent += 1;
    return route.continue();
  });
  await page.goto('/login');
  await signIn(page, `  ${shopper.email.toUpperCase()} `, shopper.password);
  const busy = page.getByRole('button', { name: 'Signing in...' });
  await expect(busy).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByLabel('Email').press('Enter');
  go();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Logged in successfully.')).toBeVisible();
  expect(sent).toBe(1);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'auth_token');
  expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax' });
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

test('[spec 2.login.6, 2.guard.5] [fault 37] goes back to a path of this site', async ({ page, api }) => {
  const shopper = await api.register();
  await page.goto('/account');
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, shopper.email, shopper.password);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText(shopper.email)).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/login');
  await page.evaluate(() => sessionStorage.setItem('from', '//evil.example/account'));
  await signIn(page, shopper.email, shopper.password);
  await expect(page).toHaveURL(/localhost:\d+\/$/);
});

test('[spec 8.login.1, 4.auth.6] shows the server’s reason', async ({ page, api, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const shopper = await api.register();
  await page.goto('/login');
  await signIn(page, shopper.email, 'wrong-password');
  await expect(alertOf(page)).toHaveText('Invalid email or password.');
  await expect(alertOf(page)).toBeFocused();
  await expect(toast(page)).toContainText('Login failed');
  await expect(page.getByLabel('Email')).toHaveValue(shopper.email);
  await page.getByLabel('Password', { exact: true }).fill(shopper.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/);
});

test('[spec 8.login.3] [fault 17] says that no answer came', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  let sent = 0;
  await page.route(AUTHORIZE, (route) => {
    if (route.request().method() === 'OPTIONS') return route.fallback();
    sent += 1;
    return route.abort();
  });
  await page.goto('/login');
  await signIn(page, 'meera@example.in', 'mango-season');
  await expect(alertOf(page)).toHaveText('No response from server. Please try again later.');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  expect(sent).toBe(1);
});

test('[spec 5.login.3] Remember me keeps the email, and nothing else', async ({ page, api }) => {
  const shopper = await api.register();
  await page.goto('/login');
  await page.getByLabel('Email').fill(shopper.email);
  await page.getByLabel('Password', { exact: true }).fill(shopper.password);
  await page.getByRole('checkbox', { name: 'Remember me' }).check();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveValue(shopper.email);
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(shopper.password);
});

test.describe('before its script has come', () => {
  test.use({ javaScriptEnabled: false });

  test('the form is there and sends no password anywhere', async ({ page }) => {
    await page.goto('/login');
    await page.getByLabel('Email').fill('meera@example.in');
    await page.getByLabel('Password', { exact: true }).fill('mango-season');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('asha@example.in');
    expect(new URL(page.url()).search).toBe('');
    expect(sent).toEqual([]);
  });
});
