import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectAlive, openTranslated } from '#tests/support/other-programs.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const FIELDS = { Name: 'Asha Rao', Email: 'asha@example.com', Subject: 'An order', Message: 'Where is it?' };

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' });

test('[spec 2.contact.3, 2.contact.8, 2.contact.9, 5.contact.1, 5.contact.2] shows what is missing; a message stays until it is sent, then the company gets it as an email', async ({
  page,
  api,
  shop,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503/);
  const { companyEmail } = v.parse(StoreInfoSchema, await api.ask('storeInfo'));
  await openTranslated(page, '/contact');
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

  await page.route(`${API}/contact`, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  for (const [name, text] of Object.entries(FIELDS)) await field(page, name).fill(text);
  await send(page).click();
  await expect(summary).toBeHidden();
  const notice = page.getByRole('alert').filter({ hasText: 'Your message is still here.' });
  await expect(notice).toBeVisible();
  for (const [name, text] of Object.entries(FIELDS)) await expect(field(page, name)).toHaveValue(text);
  await send(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Message Sent' })).toContainText(
    "Thank you for contacting us. We'll get back to you shortly.",
  );
  await expect(notice).toHaveCount(0);
  for (const name of Object.keys(FIELDS)) await expect(field(page, name)).toHaveValue('');
  await expect(send(page)).toBeFocused();
  await expect(page).toHaveURL(/\/contact$/);
  await expectAlive(page);
  const received = await shop.email(companyEmail, new RegExp(`^Contact form: ${FIELDS.Subject}$`));
  expect(received).toMatchObject({ replyTo: [{ address: FIELDS.Email }] });
});
