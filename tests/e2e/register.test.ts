import type { Page } from 'playwright/test';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectAlive, fillByProgram, openTranslated } from '#tests/support/other-programs.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const REGISTER = `${API}/users/register`;

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const create = (page: Page) => page.getByRole('button', { name: 'Create account' });

test('[spec 2.register.2, 2.register.4, 2.register.5, 5.register.7, 8.notices.2, 8.notices.6] an invalid form shows an error at each field; a valid one creates the account by one request and links to the sign-in', async ({
  page,
  context,
}) => {
  let sent = 0;
  const go = await hold(page, REGISTER, async (route) => {
    sent += 1;
    return route.continue();
  });
  await openTranslated(page, '/register');
  for (const [label, noun] of [
    ['Password', 'password'],
    ['Confirm password', 'confirm password'],
  ] as const) {
    await page.getByRole('button', { name: `Show ${noun}`, exact: true }).click();
    await expect(field(page, label)).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: `Hide ${noun}`, exact: true }).click();
    await expect(field(page, label)).toHaveAttribute('type', 'password');
  }
  await field(page, 'Password').fill('12345');
  await create(page).click();
  await expect(page.getByRole('main').getByRole('alert').getByRole('link')).toHaveText([
    'First name must be at least 2 characters',
    'Last name must be at least 2 characters',
    'Invalid email address',
    'Password must be at least 6 characters',
    'Passwords do not match',
  ]);
  for (const [label, text] of [
    ['First name', 'K'],
    ['Last name', 'Kulkarni'],
    ['Email', 'meera@example.in'],
    ['Password', 'mango-season'],
    ['Confirm password', 'mango-seasons'],
  ] as const)
    await field(page, label).fill(text);
  await create(page).click();
  await expect(field(page, 'First name')).toHaveAccessibleDescription(/2 characters.*add a dot: K\./);
  await expect(field(page, 'Confirm password')).toHaveAccessibleDescription(/Passwords do not match/);
  await field(page, 'Password').fill('mango-seasons');
  await expect(field(page, 'Confirm password')).not.toHaveAttribute('aria-invalid');
  await expectNoAxeFindings(page);

  const password = 'mango-season';
  const email = `meera.${crypto.randomUUID()}@example.in`;
  await fillByProgram(page, { firstName: 'Meera', email, password, confirmPassword: password });
  await expectAlive(page);
  await create(page).click();
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeFocused();
  await page.keyboard.press('Enter');
  go();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Account created successfully. You can now log in.')).toBeVisible();
  expect(sent).toBe(1);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('auth_token');
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
});
