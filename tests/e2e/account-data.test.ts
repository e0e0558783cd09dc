import { readFile } from 'node:fs/promises';
import { expect, test } from '#tests/support/fixtures.ts';

test('a customer takes the file of everything along, and deletes the account by the link of a letter', async ({
  page,
  api,
  shop,
  signedInShopper: shopper,
  allowConsoleErrors,
}) => {
  // The session of the account that is deleted ends, and the one that the link used up is refused.
  allowConsoleErrors(/status of (?:401|422)/);
  const { id } = await api.order(shopper);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Your data' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('everything-about-me.json');
  const file: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(file).toMatchObject({ account: [{ email: shopper.email }], orders: [{ id }] });

  const before = await shop.letters(shopper.email);
  await page.getByRole('button', { name: 'Email me the link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'We have sent an email' })).toBeFocused();
  const letter = (await shop.letters(shopper.email, before.length + 1)).find(({ subject }) =>
    subject?.startsWith('Delete your account'),
  );
  const link = /http\S+\/account-data#\S+/.exec(letter?.text ?? '')?.[0] ?? '';
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page).toHaveURL(/\/account-data$/);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeFocused();
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login$/);
  const last = (await shop.letters(shopper.email, before.length + 2)).at(-1);
  expect(last?.subject).toMatch(/ is deleted$/);

  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('This link no longer works. Please ask for a new one.')).toBeVisible();
});
