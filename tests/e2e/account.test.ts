import type { Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

const ACCOUNT = `${API}/accountInfo`;

const answer = (page: Page, shopUrl: string, given: { status?: number; json?: unknown } | 'lost') =>
  page.route(ACCOUNT, (route) => {
    if (route.request().method() === 'OPTIONS') return route.fallback();
    if (given === 'lost') return route.abort();
    return route.fulfill({
      ...given,
      headers: { 'Access-Control-Allow-Origin': shopUrl, 'Access-Control-Allow-Credentials': 'true' },
    });
  });

test('[spec 2.account.1, 2.account.2, 2.account.4, 2.account.5, 3.user.1, 3.user.2, 6.roles.3] it shows whose it is', async ({
  page,
  signedInShopper,
}) => {
  await page.goto('/account');
  await expect(page.getByText(`${signedInShopper.firstName} ${signedInShopper.lastName}`)).toBeVisible();
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  const since = new Intl.DateTimeFormat('en-US', {
    month: 'long',
    day: '2-digit',
    year: 'numeric',
    timeZone: 'Asia/Kolkata',
  }).format();
  await expect(page.getByText('Member Since')).toBeVisible();
  await expect(page.getByText(since)).toBeVisible();
  await expect(page.getByRole('link', { name: /^My Orders See/ })).toHaveAttribute('href', '/orders');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('[spec 2.account.3, 4.auth.3, 7.users.5, 8.notices.3] signing out says so at home, and ends the session at the server', async ({
  page,
  context,
  signedInShopper,
  api,
}) => {
  await page.goto('/account');
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Logged out', { exact: true })).toBeVisible();
  await expect(page.getByText('You have been logged out successfully.')).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('auth_token');
  await expect(api.ask('accountInfo', undefined, signedInShopper.token)).rejects.toThrow();
});

test('[spec 4.auth.7] [fault 36] a sign-out elsewhere counts', async ({ page, context, signedInShopper }) => {
  await page.goto('/account');
  await expect(page.getByText(signedInShopper.email)).toBeVisible();
  await context.clearCookies();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page).toHaveURL(/\/login$/);
});

const failures: [title: string, given: { status?: number; json?: unknown } | 'lost', text: string][] = [
  ['[spec 8.account.1]', { status: 404, json: {} }, 'Failed to load account information (Status: 404)'],
  ['[spec 8.account.2]', 'lost', 'Failed to load account information (No response received)'],
  [
    '[spec 8.account.3] [fault 15]',
    { json: [] },
    'Failed to load account information: The answer could not be read',
  ],
];

for (const [title, given, text] of failures) {
  test(`${title} ${text}`, async ({ page, shop, signedInShopper, allowConsoleErrors }) => {
    allowConsoleErrors(FAILED_REQUEST, /ERR_/);
    await answer(page, shop.url, given);
    await page.goto('/account');
    // A call without an answer is tried three times before it is given up.
    await expect(page.getByRole('main').getByText(text)).toBeVisible();
    await expect(page.locator('[data-toasts]')).toContainText('Error');
    await page.unroute(ACCOUNT);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(page.getByText(signedInShopper.email)).toBeVisible();
    await expect(page.locator('.account-name')).toBeFocused();
  });
}

test('[fault 15] an account that comes bare is the same account', async ({ page, shop, signedInShopper }) => {
  await answer(page, shop.url, {
    json: { firstName: 'Bare', lastName: 'Answer', email: signedInShopper.email, createdAt: null },
  });
  await page.goto('/account');
  await expect(page.getByText('Bare Answer')).toBeVisible();
  await expect(page.getByText('April 18, 2025')).toBeVisible();
});
