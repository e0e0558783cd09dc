import * as v from 'valibot';
import { amountText, CURRENCY } from '#domain/money.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { lockPayableNumber, markOrderPaid, type Payable } from './payable.ts';
import { nextPaymentState, PAYMENT_STATES, type PaymentReport, type PaymentState } from './payment-state.ts';

/** An attempt to pay an order. An order may have several. */
export interface Payment {
  /** The text by which the gateway and UPI apps name the payment. */
  readonly reference: string;
  readonly orderNumber: number;
  readonly amountPaise: number;
  readonly currency: string;
  readonly state: PaymentState;
  /** The origin of the site from which the shopper paid, and to which the gateway sends the shopper back. */
  readonly returnOrigin: string;
}

const PaymentRowSchema = v.object({
  reference: v.string(),
  orderNumber: v.number(),
  amountPaise: v.number(),
  currency: v.string(),
  state: v.picklist(PAYMENT_STATES),
  returnOrigin: v.string(),
});

const PAYMENT = `SELECT reference, order_number AS "orderNumber", amount_paise AS "amountPaise", currency, state,
  return_origin AS "returnOrigin" FROM payments`;

export const findPayment = (db: Reader, reference: string): Promise<Payment | undefined> =>
  db.get(PaymentRowSchema, `${PAYMENT} WHERE reference = ?`, reference);

/**
 * Returns the order's payment by this method that has started and has not expired, or else stores a new one. The caller
 * has locked the order.
 */
export async function startPayment(
  { clock, ids }: Shop,
  transaction: Transaction,
  order: Payable,
  method: string,
  returnOrigin: string,
): Promise<{ readonly payment: Payment; readonly isNew: boolean }> {
  const open = await transaction.get(
    PaymentRowSchema,
    `${PAYMENT} WHERE order_number = ? AND method = ? AND return_origin = ? AND state = 'started'
      AND created_at > ?`,
    order.number,
    method,
    returnOrigin,
    clock() - PAYMENT_VALID_MS,
  );
  if (open) return { payment: open, isNew: false };
  const payment = {
    reference: ids.payment(),
    orderNumber: order.number,
    amountPaise: order.totalPaise,
    currency: CURRENCY,
    state: 'started',
    returnOrigin,
  } as const;
  await transaction.run(
    `INSERT INTO payments
       (reference, order_number, method, amount_paise, currency, state, return_origin, created_at, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    payment.reference,
    payment.orderNumber,
    method,
    payment.amountPaise,
    payment.currency,
    payment.state,
    payment.returnOrigin,
    clock(),
    clock(),
  );
  return { payment, isNew: true };
}

/** Locks the payments of an order until the transaction ends. */
export const lockPaymentsOf = async (transaction: Transaction, orderId: string): Promise<void> => {
  await transaction.all(
    v.unknown(),
    `SELECT reference FROM payments WHERE order_number = (SELECT number FROM orders WHERE id = ?)
     ORDER BY reference FOR NO KEY UPDATE`,
    orderId,
  );
};

/** Marks the paid payment of a cancelled order as `refund_due`. Returns how many payments that is: 0 or 1. */
export const refundPaid = (transaction: Transaction, orderNumber: number, now: number): Promise<number> =>
  transaction.run(
    "UPDATE payments SET state = 'refund_due', changed_at = ? WHERE order_number = ? AND state = 'paid'",
    now,
    orderNumber,
  );

/** Whether somebody of the staff must look at a payment in this state. */
export const needsAttention = (state: PaymentState): boolean => state === 'flagged' || state === 'refund_due';

/** Stores what the gateway reported about a payment. Repeated reports change nothing (faults 77). */
export async function settlePayment(shop: Shop, reference: string, report: PaymentReport): Promise<void> {
  const { db, clock, log, metrics } = shop;
  const result = await db.write(async (transaction) => {
    const payment = await transaction.get(
      PaymentRowSchema,
      `${PAYMENT} WHERE reference = ? FOR NO KEY UPDATE`,
      reference,
    );
    const order = payment && (await lockPayableNumber(transaction, payment.orderNumber));
    if (!payment || !order) return undefined;
    const state = nextPaymentState(payment, order.status, report);
    if (state === payment.state) return { state, changed: false };
    await transaction.run(
      'UPDATE payments SET state = ?, changed_at = ? WHERE reference = ?',
      state,
      clock(),
      reference,
    );
    if (needsAttention(state)) {
      await transaction.run(
        'INSERT INTO payment_reports (reference, amount_paise, currency) VALUES (?, ?, ?)',
        reference,
        report.amountPaise ?? null,
        report.currency,
      );
    }
    if (state === 'paid') await markOrderPaid(transaction, payment.orderNumber);
    return { state, changed: true };
  });
  if (!result) log('warn', 'payment report for an unknown reference');
  else if (result.changed) {
    metrics?.paymentChanged(result.state);
    const amount = report.amountPaise === undefined ? 'unreadable' : amountText(report.amountPaise);
    log(needsAttention(result.state) ? 'warn' : 'info', 'payment changed', {
      reference,
      state: result.state,
      amount,
    });
  }
}
