import { formatPaise } from '#domain/money.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { change } from '#scripts/api/office/change.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { orderPath } from '#scripts/api/office/paths.ts';
import { MONEY_LETTERS } from '#scripts/api/payments/letters/money-letters.ts';
import { changePayment, lockPayment } from '#scripts/api/payments/stored-payments.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { paymentRecord, STATE_NAMES } from './payment-records.ts';

/** Marks what the courier brought. */
async function collect(context: OfficeContext, shop: Shop): Promise<Response> {
  const record = await paymentRecord(shop.db, context.req.param('reference') ?? '');
  if (!record) throw new Refusal(404, 'There is no such payment.');
  const { reference, orderId, amountPaise } = record;
  return change(context, shop, async (transaction, log) => {
    const payment = await lockPayment(transaction, reference);
    if (payment?.state !== 'to_collect')
      return {
        to: orderPath(orderId),
        message: `Nothing was changed: it is ${STATE_NAMES[payment?.state ?? record.state]}.`,
      };
    await changePayment(transaction, shop, payment, 'paid');
    await queueLetter(transaction, shop, MONEY_LETTERS.paid, reference);
    await log({
      action: 'collected the cash',
      target: ['order', orderId],
      from: { payment: STATE_NAMES.to_collect, reference },
      to: { payment: STATE_NAMES.paid, amount: formatPaise(amountPaise) },
    });
    return { to: orderPath(orderId), message: `${formatPaise(amountPaise)} was collected.` };
  });
}

export const COLLECT_PAGES: readonly OfficePage[] = [
  { method: 'POST', path: '/orders/money/:reference/collected', access: 'money', handle: collect },
];
