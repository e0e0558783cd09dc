import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { untilQuiet } from '#tests/support/at-rest.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const FIELDS = { Name: 'Asha Rao', Email: 'asha@example.com', Subject: 'An order', Message: 'Where is it?' };

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' });
const sent = (page: Page) => page.getByRole('status').filter({ hasText: 'Message Sent' });

const fillIn = async (page: Page): Promise<void> => {
  for (const [name, text] of Object.entries(FIELDS)) await field(page, name).fill(text);
};

test('[spec 2.contact.1, 2.contact.2, 2.contact.7] it says how to reach the company', async ({
  page,
  api,
}) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  await page.goto('/contact');
  const main = page.getByRole('main');
  await expect(main).toContainText(store.companyName);
  await expect(main).toContainText(store.companyAddress);
  await expect(main).toContainText('Monday to Saturday, 10AM - 6PM');
  await expect(main.getByRole('link', { name: store.companyEmail })).toHaveAttribute(
    'href',
    `mailto:${store.companyEmail}`,
  );
  await expect(main.getByRole('link', { name: store.companyPhone })).toHaveAttribute(
    'href',
    `tel:${store.companyPhone.replaceAll(' ', '')}`,
  );
  await expectNoAxeFindings(page);
});

test('[spec 2.contact.3, 2.contact.4, 2.contact.5, 9.contact.1] a message is sent after 1.5 seconds', async ({
  page,
}) => {
  const opened = new Date('2026-01-05T10:00:00Z');
  await page.clock.install({ time: opened });
  await page.goto('/contact');
  await fillIn(page);
  // From here on time passes only when told, however slow the machine is.
  await page.clock.pauseAt(opened.getTime() + 3_600_000);
  await send(page).click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-disabled', 'true');
  await page.clock.runFor(1_400);
  expect(await sent(page).count()).toBe(0);
  await page.clock.runFor(200);
  await expect(sent(page)).toContainText("Thank you for contacting us. We'll get back to you shortly.");
  for (const name of Object.keys(FIELDS)) await expect(field(page, name)).toHaveValue('');
  await expect(send(page)).toBeFocused();
});

test('[spec 2.contact.6, 7.none.1] sending calls nobody and leaves nothing in the address', async ({
  page,
}) => {
  // Every page asks for it by itself, long after its load on a busy machine.
  const storeInfo = page.waitForResponse(/\/storeInfo$/);
  await page.goto('/contact');
  await storeInfo;
  await untilQuiet(page);
  await fillIn(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!['script', 'stylesheet', 'font', 'image'].includes(request.resourceType()))
      requests.push(request.url());
  });
  await send(page).click();
  await expect(sent(page)).toBeVisible();
  expect(requests).toEqual([]);
  await expect(page).toHaveURL(/\/contact$/);
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
