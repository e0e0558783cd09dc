import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const FIELDS = { Name: 'Asha Rao', Email: 'asha@example.com', Subject: 'An order', Message: 'Where is it?' };

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' });
const sent = (page: Page) => page.getByRole('status').filter({ hasText: 'Message Sent' });

const fillIn = async (page: Page): Promise<void> => {
  for (const [name, text] of Object.entries(FIELDS)) await field(page, name).fill(text);
};

test('[spec 2.contact.3, 2.contact.8] with the capability, the company gets the message as an email, with the visitor as Reply-To', async ({
  page,
  api,
  shop,
}) => {
  const { companyEmail } = v.parse(StoreInfoSchema, await api.ask('storeInfo'));
  const subject = `An order ${randomUUID()}`;
  await page.goto('/contact');
  await fillIn(page);
  await field(page, 'Subject').fill(subject);
  await send(page).click();
  await expect(sent(page)).toContainText("Thank you for contacting us. We'll get back to you shortly.");
  for (const name of Object.keys(FIELDS)) await expect(field(page, name)).toHaveValue('');
  await expect(send(page)).toBeFocused();
  await expect(page).toHaveURL(/\/contact$/);
  await expect
    .poll(async () => (await shop.emails(companyEmail)).map((email) => email.subject))
    .toContain(`Contact form: ${subject}`);
});

test('[spec 2.contact.9] a message that could not be sent stays in the form, with a notice', async ({
  page,
  fault,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503/);
  fault({ call: 'POST /contact', status: 503, times: 1 });
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

test('[spec 5.contact.1, 5.contact.2] shows what is missing at the field and in a summary', async ({
  page,
}) => {
  await page.goto('/contact');
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

  test('typed text never ends up in the address', async ({ page }) => {
    await page.goto('/contact');
    await fillIn(page);
    await send(page).click();
    await expect(page).toHaveURL(/\/contact$/);
  });
});
