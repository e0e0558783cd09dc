import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const newcomer = () => `asha.${randomUUID().slice(0, 8)}@example.in`;

async function subscribe(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
}

test('[spec 2.home.19] an address is confirmed by the link of a letter, and leaves by the link of another', async ({
  page,
  shop,
}) => {
  const email = newcomer();
  await page.goto('/');
  await subscribe(page, email);
  await expect(page.getByRole('status').filter({ hasText: 'Look into your inbox' })).toContainText(
    'Open the link in our email, and you are subscribed.',
  );
  await expect(page.getByRole('textbox', { name: 'Email address' })).toHaveValue('');
  await expectNoAxeFindings(page);

  const [asked] = await shop.letters(email);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  const link = /http\S+\/newsletter\/confirm#\S+/.exec(asked?.text ?? '')?.[0] ?? '';
  await page.goto(link);
  // Who uses the keyboard may do so first, which changes what follows '#' in the address.
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
  await expect(page).toHaveURL(link);
  await page.reload();
  await page.getByRole('button', { name: 'Yes, I want the newsletter' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'You are subscribed.' })).toBeFocused();
  await expectNoAxeFindings(page);
  expect(sent.filter((request) => request.includes(link.split('#')[1] ?? ''))).toEqual([]);

  const [, welcome] = await shop.letters(email, 2);
  // The port of the API differs in each test, and its letters name the usual one, which the browser is led to.
  const leaving = /http\S+\/one-click\?token=\S+/.exec(welcome?.text ?? '')?.[0] ?? '';
  await page.goto(leaving);
  await expect(page).toHaveURL(/\/newsletter\/leave#/);
  await page.getByRole('button', { name: 'Leave the newsletter' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'You have left.' })).toBeFocused();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test('[spec 2.home.20] an address that could not be sent stays in its field', async ({
  page,
  fault,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 503/);
  fault({ call: 'POST /newsletter', status: 503, times: 1 });
  const email = newcomer();
  await page.goto('/');
  await subscribe(page, email);
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email address' })).toHaveValue(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Look into your inbox' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toHaveCount(0);
});

test('a dead link says in the page what happened and where to go, and a newer one in its place is tried', async ({
  page,
  fault,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of (?:503|422)/);
  const confirm = page.getByRole('button', { name: 'Yes, I want the newsletter' });
  const notice = page.getByRole('alert').filter({ hasText: 'Error' });
  const dead = page.getByRole('main').getByRole('status');
  fault({ call: 'POST /newsletter/confirm', status: 503, times: 1 });
  await page.goto('/newsletter/confirm#too-old');
  await confirm.click();
  await expect(notice).toBeVisible();
  await confirm.click();
  await expect(dead).toHaveText(/^This link no longer works. Please subscribe again/);
  await expect(dead).toBeFocused();
  await expect(confirm).toBeHidden();
  await expect(notice).toHaveCount(0);
  await expectNoAxeFindings(page);
  await page.goto('/newsletter/confirm#too-old-as-well');
  await confirm.click();
  await expect(dead).toBeFocused();
  await page.getByRole('link', { name: 'Subscribe again' }).click();
  await expect(page.getByRole('textbox', { name: 'Email address' })).toBeInViewport();

  await page.goto('/newsletter/leave#unknown');
  await page.getByRole('button', { name: 'Leave the newsletter' }).click();
  await expect(dead).toHaveText(/^This link belongs to no address that we know/);
  await expect(dead).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL(/\/contact$/);
});
