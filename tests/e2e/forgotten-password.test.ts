import { paths } from '#paths.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/page.ts';

const NEW = 'monsoon-mangoes';

test('[fault 106] a forgotten password is chosen anew by the link of a letter, once, and the new one signs in', async ({
  page,
  api,
  shop,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  const { email } = await api.register();
  await page.goto(paths.login);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill('no address');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('alert').getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'an email with a link is on its way' }),
  ).toBeFocused();

  await page.getByRole('link', { name: 'No email? Ask again' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();

  const [letter] = await shop.letters(email);
  const link = /http\S+\/reset-password#\S+/.exec(letter?.text ?? '')?.[0] ?? '';
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto(link);
  await expect(page).toHaveURL(/\/reset-password$/);
  // A phone may throw the page away while its owner looks for a password.
  await page.reload();
  const choose = async () => {
    await page.getByLabel('New password', { exact: true }).fill(NEW);
    await page.getByLabel('Confirm password', { exact: true }).fill(NEW);
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await choose();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Password changed')).toBeVisible();
  expect(sent.filter((request) => request.includes(link.split('#')[1] ?? ''))).toEqual([]);
  await signInHere(page, { email, password: NEW });
  await expect(page).toHaveURL(/:\d+\/$/);

  await page.goto(link);
  await choose();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This link no longer works.');
  await page.getByRole('link', { name: 'Ask for a new one' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});

test('whoever reads Hindi is written to in Hindi', async ({ page, shop }) => {
  const email = `asha.${crypto.randomUUID()}@example.in`;
  await page.addInitScript(() => localStorage.setItem('language', 'hi'));
  await page.goto(paths.register);
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
  for (const [id, text] of Object.entries({
    firstName: 'Asha',
    lastName: 'Rao',
    email,
    password: NEW,
    confirmPassword: NEW,
  }))
    await page.locator(`#${id}`).fill(text);
  await page.locator('form button[type=submit]').click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await page.goto(paths.forgotPassword);
  await page.locator('#email').fill(email);
  await page.locator('form button[type=submit]').click();
  const [letter] = await shop.letters(email);
  expect(letter?.subject).toContain('नया पासवर्ड चुनें');
});
