import { createOrder, fillAddress } from '#tests/support/checkout.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test('an order whose answer is lost is one order', async ({
  page,
  api,
  fault,
  signedInShopper,
  filledCart: _,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  fault({ call: 'POST /orders', lose: true, times: 1 });
  await page.goto('/checkout');
  await fillAddress(page);
  await createOrder(page).click();
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});
