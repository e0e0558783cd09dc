import pLimit from 'p-limit';
import * as v from 'valibot';
import { NEW_ORDER } from '#domain/new-order.ts';
import type { Shop } from '#server/services/shop.ts';
import { providersOf } from './providers/table.ts';
import { ASKED_EVERY, claimQuestion, createShared, nextAsk } from './question.ts';
import { carryOutRefund, dueRefunds } from './refunds.ts';
import { settlePayment } from './settle.ts';
import { findPayment, type Payment } from './stored-payments.ts';
import { noteTrouble } from './trouble.ts';

/** How many payments a round takes, and how many of them are asked for at the same moment. */
const A_ROUND = 50;
const AT_ONCE = 4;

const DueSchema = v.object({ reference: v.string(), nextAskAt: v.number(), asks: v.number() });

/**
 * Claims a payment by moving its next question: of several processes that saw the same time, one changes the row. Where
 * that process dies, the next question finds out.
 */
const claim = (
  shop: Shop,
  { reference, nextAskAt, asks }: v.InferOutput<typeof DueSchema>,
): Promise<number> =>
  shop.db.write((transaction) =>
    transaction.run(
      'UPDATE payments SET next_ask_at = ?, asks = asks + 1, asked_at = ? WHERE reference = ? AND next_ask_at = ? AND (asked_at IS NULL OR asked_at <= ?)',
      shop.clock() + nextAsk(asks + 1),
      shop.clock(),
      reference,
      nextAskAt,
      shop.clock() - ASKED_EVERY,
    ),
  );

/** Asks a provider for a payment, and settles what it says. A provider in trouble is asked again later. */
async function askForPayment(shop: Shop, reference: string): Promise<void> {
  const payment = await findPayment(shop.db, reference);
  const provider = payment && providersOf(shop).get(payment.provider);
  if (!payment || !provider) return;
  try {
    await settlePayment(shop, payment.provider, reference, await provider.ask(payment));
  } catch (error) {
    await noteTrouble(shop, payment.provider, error, 'payment could not be asked for');
  }
}

const shareQuestion = createShared<void>();

/** Asks for a payment now, or soon where the last question was less than 5 s ago. Not where its state is final. */
export const askNow = (shop: Shop, { reference, provider }: Payment): Promise<void> =>
  shareQuestion(reference, async () => {
    if (await claimQuestion(shop, reference)) await askForPayment(shop, reference);
    else await askSoon(shop, provider, [reference]);
  });

/** Asks for every payment and refund whose time has come, and returns how many those were. */
export async function reconcile(shop: Shop): Promise<number> {
  const due = await shop.db.all(
    DueSchema,
    `SELECT reference, next_ask_at AS "nextAskAt", asks FROM payments
     WHERE next_ask_at <= ? AND (asked_at IS NULL OR asked_at <= ?) ORDER BY next_ask_at LIMIT ?`,
    shop.clock(),
    shop.clock() - ASKED_EVERY,
    A_ROUND,
  );
  const limit = pLimit(AT_ONCE);
  await limit.map(due, (row) =>
    shareQuestion(row.reference, async () => {
      if ((await claim(shop, row)) > 0) await askForPayment(shop, row.reference);
    }),
  );
  const refunds = await dueRefunds(shop, A_ROUND);
  await limit.map(refunds, (refund) => carryOutRefund(shop, refund));
  return due.length + refunds.length;
}

/** How long after its start a shopper is taken to wait for a payment, in ms. */
const WAITS = 30 * 60_000;

/** Moves the next question about these payments of a provider to now, because there may be news. */
export async function askSoon(
  { db, clock }: Shop,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return;
  const marks = references.map(() => '?').join();
  await db.write((transaction) =>
    transaction.run(
      `UPDATE payments SET next_ask_at = ? WHERE next_ask_at > ? AND provider = ? AND reference IN (${marks})`,
      clock(),
      clock(),
      provider,
      ...references,
    ),
  );
}

/** Asks soon for what this user waits for, at most every 5 s for a payment. It writes only where there is one. */
export async function askSoonForUser(shop: Shop, userId: string): Promise<void> {
  const now = shop.clock();
  const waiting = await shop.db.all(
    v.object({ reference: v.string(), provider: v.string() }),
    `SELECT reference, provider FROM payments JOIN orders ON orders.number = payments.order_number
     WHERE orders.user_id = ? AND orders.status = ? AND state IN ('started', 'failed') AND next_ask_at > ?
       AND payments.created_at > ? AND (asked_at IS NULL OR asked_at <= ?)`,
    userId,
    NEW_ORDER,
    now,
    now - WAITS,
    now - ASKED_EVERY,
  );
  for (const { reference, provider } of waiting) await askSoon(shop, provider, [reference]);
}
