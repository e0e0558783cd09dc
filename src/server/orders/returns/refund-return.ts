import { formatPaise, type Paise, toPaise } from '#domain/money.ts';
import { lineAmount } from '#domain/order-amounts.ts';
import { returnable } from '#domain/order-history.ts';
import type { Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { OrderDto } from '#server/orders/schema.ts';
import type { StoredOrder } from '#server/orders/stored-orders.ts';
import { storeRefund } from '#server/payments/refunds.ts';
import { lockPaymentsOf } from '#server/payments/stored-payments.ts';
import { refundsOfReturns } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import type { StoredReturn } from './stored-returns.ts';

export const itemOf = ({ items }: OrderDto, line: string) => items.find((item) => item.line === line);

const goodsOf = (order: OrderDto, { lines }: Pick<StoredReturn, 'lines'>): Paise =>
  lines.reduce(
    (sum, { line, quantity }) => sum + lineAmount({ price: itemOf(order, line)?.price ?? 0, quantity }),
    0,
  );

/**
 * The refund of a return, in paise: the price of its goods. The last return also refunds the delivery, if everything
 * came back. Never more than is left of the order's total.
 * @param others the other returns of the order
 */
export function returnAmount(order: OrderDto, own: StoredReturn, others: readonly StoredReturn[]): Paise {
  const given = others.filter(({ state }) => state === 'refunded');
  const left = given.reduce((rest, other) => rest - goodsOf(order, other), toPaise(order.total));
  const isAll = [...returnable(order.items, [...given, own]).values()].every((pieces) => pieces === 0);
  return isAll ? left : Math.min(goodsOf(order, own), left);
}

/**
 * Refunds a return from the payment that paid for the order, never from one that is refunded anyway. The return is done
 * once the refund has succeeded. Returns an error text, or undefined. @throws Refusal 409 if it was refunded before
 */
export async function refundReturn(
  services: Services,
  transaction: Transaction,
  { id }: StoredOrder,
  returnId: string,
  paise: number,
  who: string,
): Promise<string | undefined> {
  const payments = await lockPaymentsOf(transaction, id);
  const payment =
    payments.find(({ state }) => state === 'paid') ??
    payments.find(({ state }) => state === 'flagged' || state === 'refunded');
  if (!payment) return 'No payment has paid for this order. Mark the cash as collected first.';
  const earlier = await refundsOfReturns(transaction, [returnId]);
  if (earlier.some(({ state }) => state !== 'refund_failed'))
    throw new Refusal(
      409,
      'Someone else was first: the refund of this return is in progress. Nothing was changed.',
    );
  const { reference } = payment;
  const key = services.ids.payment();
  const request = { key, reference, paise, reason: 'Goods were returned.', who, returnId };
  const refusal = await storeRefund(transaction, services.clock(), request);
  return refusal && `At most ${formatPaise(refusal.left)} can be refunded.`;
}
