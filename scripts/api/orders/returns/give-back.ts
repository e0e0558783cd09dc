import { formatPaise } from '#domain/money.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import type { StoredOrder } from '#scripts/api/orders/stored-orders.ts';
import { storeRefund } from '#scripts/api/payments/refunds.ts';
import { lockPaymentsOf } from '#scripts/api/payments/stored-payments.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

/**
 * Gives back what a return is worth. It comes out of the payment that paid for the order, and never out of money that goes
 * back anyway. Returns what is wrong, or undefined.
 */
export async function giveBackReturn(
  shop: Shop,
  transaction: Transaction,
  { id }: StoredOrder,
  paise: number,
  who: string,
): Promise<string | undefined> {
  const payments = await lockPaymentsOf(transaction, id);
  const payment =
    payments.find(({ state }) => state === 'paid') ?? payments.find(({ state }) => state === 'flagged');
  if (!payment) return 'No payment has paid for this order. Mark the cash as collected first.';
  const { reference } = payment;
  const request = { key: shop.ids.payment(), reference, paise, reason: 'Goods were returned.', who };
  const refusal = await storeRefund(transaction, shop.clock(), request);
  return refusal && `At most ${formatPaise(refusal.left)} can be given back.`;
}
