import { paths } from '#paths.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { signInHere } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const NEW = 'monsoon-mangoes';

test('a customer changes name and password, and stays signed in here alone', async ({
  page,
  signedInShopper: shopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await page.goto(paths.account);
  await page.getByRole('link', { name: 'Change your account' }).click();
  const form = (name: string) => page.getByRole('form', { name });
  const name = form('Your name');
  await expect(name.getByLabel('First name')).toHaveValue(shopper.firstName);
  await expect(name.getByLabel('Last name')).toHaveValue(shopper.lastName);
  await name.getByLabel('First name').fill('U');
  await name.getByRole('button').click();
  await expect(name.getByRole('alert')).toContainText('First name must be at least 2 characters');
  await name.getByLabel('First name').fill('Uma');
  await name.getByRole('button').click();
  await expect(page.locator('#account-name')).toHaveText(`Uma ${shopper.lastName}`);

  await page.goto(paths.accountChange);
  const password = form('Your password');
  const change = async (current: string) => {
    await password.getByLabel('Current password', { exact: true }).fill(current);
    await password.getByLabel('New password', { exact: true }).fill(NEW);
    await password.getByLabel('Confirm password', { exact: true }).fill(NEW);
    await password.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not my password');
  await expect(password.getByRole('alert')).toContainText('This is not your password.');
  await change(shopper.password);
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('You are signed out on all other devices.')).toBeVisible();
  await expect(page.locator('#account-name')).toHaveText(`Uma ${shopper.lastName}`);
});

test('an email changes once both confirm it', async ({ page, shop, signedInShopper: shopper }) => {
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
  await expectNoAxeFindings(page);
  const confirm = async (address: string) => {
    const letter = (await shop.letters(address)).findLast(({ subject }) => subject?.startsWith('Confirm'));
    await page.goto(/http\S+\/account-change#\S+/.exec(letter?.text ?? '')?.[0] ?? '');
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
