import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { enterOffice, OFFICE_URL } from '#tests/support/office.ts';

const FIELDS = { Name: 'Asha Rao', Email: 'asha@example.com', Subject: 'An order', Message: 'Where is it?' };

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' });
const sent = (page: Page) => page.getByRole('status').filter({ hasText: 'Message Sent' });

const fillIn = async (page: Page): Promise<void> => {
  for (const [name, text] of Object.entries(FIELDS)) await field(page, name).fill(text);
};

test('[spec 2.contact.3, 2.contact.8] where the API takes messages, one gets a number, a letter, and an answer of the staff by letter', async ({
  page,
  shop,
}) => {
  const email = `asha.${randomUUID().slice(0, 8)}@example.com`;
  await page.goto('/contact');
  await fillIn(page);
  await field(page, 'Email').fill(email);
  await send(page).click();
  await expect(sent(page)).toContainText('We have sent you an email with its number.');
  for (const name of Object.keys(FIELDS)) await expect(field(page, name)).toHaveValue('');
  await expect(send(page)).toBeFocused();
  await expect(page).toHaveURL(/\/contact$/);
  const shown = await page.getByText(/The number of your message is/).textContent();
  const ticket = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(shown ?? '')?.[0] ?? '';
  await expectNoAxeFindings(page);
  expect(await shop.letters(email)).toMatchObject([{ subject: `We have your message, ticket ${ticket}` }]);

  await enterOffice(page, shop, 'packer');
  await page.goto(`${OFFICE_URL}/messages/${ticket}`);
  await expectNoAxeFindings(page);
  await page.getByLabel('Your answer').fill('It comes tomorrow.');
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await expect(page.getByText('The answer is being sent.')).toBeVisible();
  const [, answer] = await shop.letters(email, 2);
  expect(answer?.text).toContain('It comes tomorrow.');
});

test('[spec 2.contact.9] a message that could not be sent stays in the form, and the notice says so', async ({
  page,
  fault,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503/);
  fault({ call: 'POST /messages', status: 503, times: 1 });
  await page.goto('/contact');
  await fillIn(page);
  await send(page).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Your message is still here.' });
  await expect(notice).toBeVisible();
  for (const [name, text] of Object.entries(FIELDS)) await expect(field(page, name)).toHaveValue(text);
  await send(page).click();
  await expect(sent(page)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('[spec 5.contact.1, 5.contact.2] what is missing is told by its field and in a summary', async ({
  page,
}) => {
  await page.goto('/contact');
  for (const name of Object.keys(FIELDS)) await expect(field(page, name)).toHaveAttribute('required', '');
  await expect(field(page, 'Email')).toHaveAttribute('type', 'email');
  await field(page, 'Name').fill('   ');
  await field(page, 'Email').fill('asha');
  await send(page).click();
  const summary = page.locator('[data-summary]');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText([
    'Enter your name',
    'Invalid email address',
    'Enter a subject',
    'Enter your message',
  ]);
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Invalid email address');
  await expectNoAxeFindings(page);
  await summary.getByRole('link', { name: 'Enter a subject' }).click();
  await expect(field(page, 'Subject')).toBeFocused();
  await fillIn(page);
  await send(page).click();
  await expect(summary).toBeHidden();
  await expect(sent(page)).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('nothing that was typed ends in an address', async ({ page }) => {
    await page.goto('/contact');
    await fillIn(page);
    await send(page).click();
    await expect(page).toHaveURL(/\/contact$/);
  });
});
