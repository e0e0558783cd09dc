import type { Locator, Page } from 'playwright/test';
import { RETURN_PENDING } from '#domain/refusals.ts';
import { ADMIN_URL, enterAdmin } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { loseAnswer } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const RETURNS = '**/api/v1/orders/*/returns';

test('a return is requested once despite a lost response, accepted in the admin, and refunded', async ({
  page,
  context,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const { id, number } = await api.order(shopper);
  await api.pay(shopper, id);
  await api.setStatus(id, 'delivered');
  await page.goto('/orders');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Return items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Return items' });
  await dialog.getByRole('button', { name: 'Ask for the return' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose what to return, and say why.');
  await dialog.getByRole('combobox').selectOption('1');
  await dialog.getByLabel('Why do you return it?').fill('It was not ripe.');
  await expectNoAxeFindings(page);
  await page.route(RETURNS, (route) => loseAnswer(route, shop));
  await dialog.getByRole('button', { name: 'Ask for the return' }).dblclick();
  await expect(card).toContainText('We have your request and will answer it');
  await expect(card.getByRole('button', { name: 'Return items' })).toHaveCount(0);

  const admin = await context.newPage();
  await enterAdmin(admin, shop, 'owner');
  await admin.getByRole('link', { name: /returns? to answer or settle$/ }).click();
  await admin.getByRole('link', { name: number, exact: true }).click();
  await expect(admin.getByText('Why: It was not ripe.')).toBeVisible();
  await admin.getByLabel('Accept').check();
  await admin.getByLabel('Message to the customer').fill('We are sorry. Keep it.');
  await admin.getByRole('button', { name: 'Send the answer' }).click();
  // An address that is not confirmed gets four such emails an hour, so they are awaited before the refund's.
  for (const subject of [/^We have your request to return/, /^We accept the return/])
    await shop.email(shopper.email, subject);
  await admin.getByRole('button', { name: 'Refund' }).click();
  await expect(admin.getByRole('status')).toHaveText(/will be refunded\./);
  // The return is done once the payment provider has refunded.
  await expect(async () => {
    await admin.goto(`${ADMIN_URL}/orders/returns`);
    await expect(admin.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(admin.getByRole('link', { name: number, exact: true })).toHaveCount(0, { timeout: 1 });
  }).toPass();

  await page.reload();
  await expect(card).toContainText('Done. The money goes back to you');
  await expect(card).toContainText('We are sorry.');
  await expect(card).toContainText(/We (?:are returning|returned) ₹/);
});

const cardIn = (tab: Page, id: string) => tab.getByRole('article').filter({ hasText: id });

/** Opens and fills in the return form in a tab. */
async function fillReturn(tab: Page, id: string, reason: string) {
  await cardIn(tab, id).getByRole('button', { name: 'Return items' }).click();
  const dialog = tab.getByRole('dialog', { name: 'Return items' });
  await dialog.getByRole('combobox').selectOption('1');
  await dialog.getByLabel('Why do you return it?').fill(reason);
  return dialog;
}

const send = (dialog: Locator) => dialog.getByRole('button', { name: 'Ask for the return' }).click();

test('a second tab shows that a return is already requested, and offline the typed text remains', async ({
  page,
  context,
  api,
  signedInShopper: shopper,
}) => {
  const { number } = await api.order(shopper, { status: 'delivered' });
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto('/orders');
  const [mine, theirs] = [
    await fillReturn(page, number, 'Not ripe.'),
    await fillReturn(other, number, 'Too ripe.'),
  ];

  await context.setOffline(true);
  await send(mine);
  await expect(mine.getByRole('alert')).toHaveText(
    'The shop did not answer. Try again: a return is asked for only once.',
  );
  await context.setOffline(false);
  await expect(mine.getByLabel('Why do you return it?')).toHaveValue('Not ripe.');
  await send(mine);
  await expect(page.getByText('Return asked for')).toBeVisible();

  await send(theirs);
  await expect(other.getByText(RETURN_PENDING)).toBeVisible();
  await expect(theirs).toHaveCount(0);
  await expect(cardIn(other, number)).toContainText('We have your request and will answer it');
  await expect(other.getByRole('listitem').filter({ has: cardIn(other, number) })).toBeFocused();
  const [order] = await api.orders(shopper);
  expect(order?.returns?.map(({ reason }) => reason)).toEqual(['Not ripe.']);
});

test('a return is withdrawn in My Orders despite a lost response, and may be requested again', async ({
  page,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const { number } = await api.order(shopper, { status: 'delivered' });
  await page.goto('/orders');
  const card = cardIn(page, number);
  await send(await fillReturn(page, number, 'Not ripe.'));
  await card.getByRole('button', { name: 'Withdraw the return' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw the return?' });
  await expectNoAxeFindings(page);
  await page.route('**/withdraw', (route) => loseAnswer(route, shop));
  await dialog.getByRole('button', { name: 'Withdraw the return' }).dblclick();
  await expect(page.getByText('Return withdrawn')).toBeVisible();
  await expect(card.getByText('Withdrawn', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Withdraw the return' })).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Return items' })).toBeVisible();
});
