import { expect, test } from '#tests/support/fixtures.ts';
import { hold, ORDERS, payNow } from '#tests/support/page.ts';

const isBefore = (one: { y: number } | null, other: { y: number } | null): boolean =>
  (one?.y ?? 0) < (other?.y ?? 0);

test('pays again when the time is over', async ({ page, api, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.clock.install();
  await page.goto(`/payment?orderId=${id}`);
  await payNow(page).click();
  const open = page.getByRole('link', { name: 'Open UPI app' });
  const code = page.getByRole('img', { name: 'QR code of the payment' });
  await expect(code).toBeVisible();
  expect(isBefore(await open.boundingBox(), await code.boundingBox())).toBe(true);
  await expect(page.getByRole('timer')).toHaveText(/^Pay within [45]:\d\d$/);

  await page.clock.fastForward('05:30');
  await expect(page.getByRole('timer')).toContainText('The time for this payment is over.');
  const again = page.getByRole('button', { name: 'Try again' });
  const release = await hold(page, ORDERS);
  await again.click();
  await expect(again).toBeDisabled();
  release();
  await expect(page.getByRole('timer')).toHaveText(/^Pay within [45]:\d\d$/);
  await page.unroute(ORDERS);
  await api.answerUpi((await open.getAttribute('href')) ?? '', 'succeeded');
  await page.clock.runFor(20_000);
  await expect(page).toHaveURL('/order-success');
  expect(await api.orders(signedInShopper)).toMatchObject([{ id, status: 1 }]);
});
