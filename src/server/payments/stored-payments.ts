import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { appended, columnsOf, insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import type { OutboxServices } from '#server/email/outbox.ts';
import type { Services } from '#server/services/services.ts';
import { queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { OWNER_PAYMENT_EMAILS } from './emails/owner-emails.ts';
import type { Payable } from './payable.ts';
import { isProblem, PAYMENT_STATES, type PaymentState } from './payment-state.ts';
import { pollDelay } from './polling.ts';
import type { PaymentOrder, Started } from './providers/provider.ts';
import { PaymentResponseSchema } from './schema.ts';

/** A try to pay an order. An order may have several. */
export interface Payment extends PaymentOrder {
  readonly orderNumber: number;
  readonly provider: string;
  readonly state: PaymentState;
  /** The origin of the site on which the shopper pays, and to which the provider redirects. */
  readonly returnOrigin: string;
  /** The next step of the payment page; undefined until the provider has started the payment. */
  readonly started: Started | undefined;
}

const orUndefined = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  );

const StartedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.pick(PaymentResponseSchema, ['action', 'redirectUrl']),
);

const PAYMENT_ROW = {
  reference: v.string(),
  orderNumber: v.number(),
  provider: v.string(),
  providerId: orUndefined(v.string()),
  method: v.string(),
  amountPaise: v.number(),
  currency: v.string(),
  state: v.picklist(PAYMENT_STATES),
  returnOrigin: v.string(),
  started: orUndefined(StartedSchema),
  createdAt: v.number(),
};

const PaymentRowSchema = v.object(PAYMENT_ROW);

const PAYMENT = `SELECT ${columnsOf(PAYMENT_ROW)} FROM payments`;

export const findPayment = (db: Reader, reference: string): Promise<Payment | undefined> =>
  db.get(PaymentRowSchema, `${PAYMENT} WHERE reference = ?`, reference);

export const lockPayment = (transaction: Transaction, reference: string): Promise<Payment | undefined> =>
  transaction.get(PaymentRowSchema, `${PAYMENT} WHERE reference = ? FOR NO KEY UPDATE`, reference);

export interface NewPayment {
  readonly provider: string;
  readonly method: string;
  readonly returnOrigin: string;
  readonly isPaidAtDoor: boolean;
}

/** Returns the order's open payment by this method, or stores a new one. The caller has locked the order. */
export async function storePayment(
  { clock, ids }: Services,
  transaction: Transaction,
  order: Payable,
  { provider, method, returnOrigin, isPaidAtDoor }: NewPayment,
): Promise<{ readonly payment: Payment; readonly isNew: boolean }> {
  const now = clock();
  const open = await transaction.get(
    PaymentRowSchema,
    `${PAYMENT} WHERE order_number = ? AND method = ? AND provider = ? AND return_origin = ? AND state = 'started'
      AND created_at > ?`,
    order.number,
    method,
    provider,
    returnOrigin,
    now - PAYMENT_VALID_MS,
  );
  if (open) return { payment: open, isNew: false };
  const row = {
    reference: ids.payment(),
    orderNumber: order.number,
    provider,
    method,
    amountPaise: order.totalPaise,
    currency: CURRENCY.code,
    state: isPaidAtDoor ? 'to_collect' : 'started',
    returnOrigin,
    createdAt: now,
  } as const;
  const nextPollAt = isPaidAtDoor ? null : now + pollDelay(0);
  await insertRow(transaction, 'payments', { ...row, changedAt: now, nextPollAt });
  const payment = { ...row, providerId: undefined, started: undefined };
  return { payment, isNew: true };
}

/** Stores the provider's answer. The payment may be polled from now on. */
export async function storeStarted(
  transaction: Transaction,
  { reference }: Payment,
  { providerId, ...started }: Started,
): Promise<void> {
  await transaction.run(
    'UPDATE payments SET started = ?, provider_id = ?, polled_at = NULL WHERE reference = ?',
    JSON.stringify(started),
    providerId ?? null,
    reference,
  );
}

/**
 * Sets the state of a payment, which the caller has locked, and emails the owners if it needs attention. Nothing else
 * changes the state of a stored payment.
 */
export async function changePayment(
  transaction: Transaction,
  services: OutboxServices,
  { reference }: Pick<Payment, 'reference'>,
  state: PaymentState,
): Promise<void> {
  const now = services.clock();
  await transaction.run(
    'UPDATE payments SET state = ?, changed_at = ?, events = events || ? WHERE reference = ?',
    state,
    now,
    appended({ state, at: now }),
    reference,
  );
  if (isProblem(state))
    await queueEmailForOwners(transaction, services, OWNER_PAYMENT_EMAILS.paymentAttention, reference, {});
}

/** The payments of an order, locked until the transaction ends. */
export const lockPaymentsOf = (transaction: Transaction, orderId: string): Promise<Payment[]> =>
  transaction.all(
    PaymentRowSchema,
    `${PAYMENT} WHERE order_number = (SELECT number FROM orders WHERE id = ?) ORDER BY reference FOR NO KEY UPDATE`,
    orderId,
  );
