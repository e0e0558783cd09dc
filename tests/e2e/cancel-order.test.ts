import { formatPaise } from '#domain/money.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { loseAnswer } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const CANCEL = '**/api/v1/orders/*/cancel';

test('[fault 109] a paid order is cancelled once by a double tap, its money is shown as on its way back, and an email says so', async ({
  page,
  api,
  shop,
  signedInShopper: shopper,
}) => {
  const { id, amounts } = await api.order(shopper);
  await api.pay(shopper, id);
  let calls = 0;
  await page.route(CANCEL, (route) => {
    calls += 1;
    return route.continue();
  });
  await page.goto('/orders');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Cancel order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(dialog).toContainText('goes back the way it came');
  await expectNoAxeFindings(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Cancel order' })).toBeFocused();

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel the order' }).dblclick();
  await expect(card.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await expect(card).toContainText(`We are returning ${formatPaise(amounts.total)}`);
  await expect(page.getByRole('listitem').filter({ has: card })).toBeFocused();
  await expect(page.getByText('Order cancelled')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Cancel order' })).toHaveCount(0);
  expect(calls).toBe(1);
  await expect
    .poll(async () => (await shop.letters(shopper.email)).map(({ subject }) => subject ?? ''))
    .toContainEqual(expect.stringMatching(/ was cancelled$/));
});

test('[fault 109] in two tabs, after the parcel has left, offline and where the answer is lost, the page tells what is', async ({
  page,
  context,
  api,
  shop,
  signedInShopper: shopper,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /ERR_/);
  const [first, second, third] = [
    await api.order(shopper),
    await api.order(shopper),
    await api.order(shopper),
  ];
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto('/orders');
  const cardIn = (tab: typeof page, { id }: typeof first) => tab.getByRole('article').filter({ hasText: id });
  const press = async (tab: typeof page, order: typeof first) => {
    await cardIn(tab, order).getByRole('button', { name: 'Cancel order' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  };
  for (const tab of [page, other]) {
    await press(tab, first);
    await expect(cardIn(tab, first)).toContainText('Cancelled');
  }

  await api.setStatus(second.id, 'shipped');
  await press(page, second);
  await expect(page.getByText(TOO_LATE_TO_CANCEL)).toBeVisible();
  await expect(cardIn(page, second)).toContainText('Shipped');

  await context.setOffline(true);
  await press(page, third);
  await expect(page.getByRole('alert').filter({ hasText: 'The shop did not answer.' })).toBeVisible();
  await context.setOffline(false);
  await page.route(CANCEL, (route) => loseAnswer(route, shop));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  await expect(cardIn(page, third)).toContainText('Cancelled');
});
