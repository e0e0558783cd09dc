import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latestBookings } from '#server/ledger/admin/booking-pages.tsx';
import {
  adjust,
  type Book,
  lockAccount,
  recordPayment,
  reverse,
  takeBookingBack,
} from '#server/ledger/book.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import {
  adjustmentsOf,
  hasMoved,
  isFailed,
  type Movement,
  movementsOf,
  sumsOf,
} from '#server/ledger/movements.ts';
import { doNotRefund, recordRefund } from '#server/ledger/refund.ts';
import { type ReportedRow, recordReported } from '#server/ledger/reported.ts';
import { ordersByNumber } from '#server/orders/stored-orders.ts';
import { refundEnded, refundOrder } from '#server/payments/refund-order.ts';
import { settlePayment } from '#server/payments/settle.ts';
import { DAY } from '#server/process/clock.ts';
import { ORDER_TOTAL, testApi, withCustomer } from '#tests/server/support/api.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

const TOTAL = ORDER_TOTAL;
const ONE = TOTAL / 2;
const BY_HAND = { way: 'bank_transfer', happenedOn: '2026-01-05', externalId: null } as const;
const recordedBy = 'owner@example.com';

/** A shop with an order of two pieces, and functions that book something for it. */
async function ledger() {
  const { token, ...api } = await withCustomer(testApi({ settings: UNLIMITED }));
  await api.placeOrder(token);
  const { db, services } = api;
  const write = <T>(work: (book: Book) => Promise<T>) =>
    db.write((transaction) => work({ transaction, services, orderNumber: 1, recordedBy }));
  const row = async (kind: Movement['kind'], state: Movement['state'], attempt?: null) =>
    (await movementsOf(db, 1)).findLast(
      (one) => one.kind === kind && one.state === state && (attempt !== null || one.attempt === null),
    ) ?? expect.fail('no row');
  const report = (given: Pick<ReportedRow, 'kind' | 'state' | 'paise'> & Partial<ReportedRow>) =>
    write((book) =>
      recordReported(book, { reference: 'A', provider: 'razorpay' }, { id: 'X', ...given }, true),
    );
  return {
    setStatus: (status: number) => runSql(db, 'UPDATE orders SET status = ?', status),
    came: (externalId: string, paise = TOTAL) =>
      write((book) => recordPayment(book, { way: 'razorpay', attempt: 'A', externalId, paise })),
    booked: (paise: number, way = 'bank_transfer') => write((book) => recordPayment(book, { way, paise })),
    refund: (paise: number, more: object = {}) =>
      write((book) => recordRefund(book, { paise, reason: 'A bruise', ...more })),
    writeOff: (paise: number) =>
      write((book) => adjust(book, { kind: 'written_off', paise, reason: 'Lost' })),
    undo: (own: Movement) => write((book) => reverse(book, own)),
    keep: (paise: number, failed?: Movement) =>
      write((book) => doNotRefund(book, { failed, paise, reason: 'For the way' })),
    /** The provider reports how the newest refund ended. */
    settle: async (state: Movement['state'], from: Movement['state'] = 'requested') => {
      const { id, paise } = await row('refund', from);
      await report({ kind: 'refund', id, paise, state });
    },
    /** The provider reports a dispute of all that was paid. */
    dispute: (state: Movement['state'], answerBy?: number) =>
      report({ kind: 'dispute', state, paise: TOTAL, ...(answerBy ? { answerBy } : {}) }),
    report,
    row,
    atDoor: () => runSql(db, 'UPDATE orders SET paid_at_door = 1, status = 2'),
    balance: async () => {
      const order = (await ordersByNumber(db, [1]))[0] ?? expect.fail('no order');
      const { heldPaise, owedPaise, toRefundPaise, toPayPaise, money } = order;
      return [heldPaise, owedPaise, toRefundPaise, toPayPaise, MONEY_LABELS[money]];
    },
  };
}

type Ledger = Awaited<ReturnType<typeof ledger>>;

type Step = readonly [
  step: (shop: Ledger) => Promise<unknown>,
  held: number,
  owed: number,
  toRefund: number,
  toPay: number,
  word: string,
];

const paidInFull: Step = [(shop) => shop.came('P'), TOTAL, TOTAL, 0, 0, 'Paid'];
const paidTwice: readonly Step[] = [
  paidInFull,
  [(shop) => shop.came('Q'), 2 * TOTAL, TOTAL, TOTAL, 0, 'Refund due'],
];
const oneRefunded: readonly Step[] = [
  paidInFull,
  [(shop) => shop.refund(ONE), TOTAL, ONE, 0, 0, 'Refund in progress'],
  [(shop) => shop.settle('done'), ONE, ONE, 0, 0, 'Partly refunded'],
];
const REST = TOTAL - 20_000;
const goodwillFails: readonly Step[] = [
  paidInFull,
  [(shop) => shop.refund(20_000), TOTAL, REST, 0, 0, 'Refund in progress'],
  [(shop) => shop.settle('failed'), TOTAL, REST, 20_000, 0, 'Refund due'],
];

it.each<[what: string, ...steps: Step[]]>([
  ['paid, delivered, a piece given back', ...oneRefunded],
  [
    'cash of which a part came, and the rest is written off',
    [(shop) => shop.atDoor(), 0, TOTAL, 0, TOTAL, 'To collect'],
    [(shop) => shop.booked(50_000, 'cash'), 50_000, TOTAL, 0, TOTAL - 50_000, 'To collect'],
    [(shop) => shop.writeOff(TOTAL - 50_000), 50_000, 50_000, 0, 0, 'Paid'],
  ],
  [
    'paid twice, the second refunded',
    ...paidTwice,
    [(shop) => shop.refund(TOTAL), 2 * TOTAL, TOTAL, 0, 0, 'Refund in progress'],
    [(shop) => shop.settle('done'), TOTAL, TOTAL, 0, 0, 'Paid'],
  ],
  [
    'cancelled unpaid; money comes; refunded',
    [(shop) => shop.setStatus(4), 0, 0, 0, 0, 'Nothing'],
    [(shop) => shop.came('P'), TOTAL, 0, TOTAL, 0, 'Refund due'],
    [(shop) => shop.refund(TOTAL, { byHand: BY_HAND }), 0, 0, 0, 0, 'Refunded'],
  ],
  [
    'goodwill that fails, and is given by hand',
    ...goodwillFails,
    [
      async (shop) =>
        shop.refund(20_000, { byHand: BY_HAND, retryOf: (await shop.row('refund', 'failed')).id }),
      REST,
      REST,
      0,
      0,
      'Partly refunded',
    ],
  ],
  [
    'goodwill that fails, and is not given at all',
    ...goodwillFails,
    [async (shop) => shop.keep(20_000, await shop.row('refund', 'failed')), TOTAL, TOTAL, 0, 0, 'Paid'],
  ],
  [
    'a piece refunded, then a dispute of all of it is lost, won after all, and lost again',
    ...oneRefunded,
    [(shop) => shop.dispute('open'), ONE, ONE, 0, 0, 'In dispute'],
    [(shop) => shop.dispute('lost'), 0, 0, 0, 0, 'Refunded'],
    [(shop) => shop.dispute('won'), ONE, ONE, 0, 0, 'Partly refunded'],
    [(shop) => shop.dispute('lost'), 0, 0, 0, 0, 'Refunded'],
    [(shop) => shop.dispute('won'), ONE, ONE, 0, 0, 'Partly refunded'],
    [(shop) => shop.dispute('lost'), 0, 0, 0, 0, 'Refunded'],
    [(shop) => shop.dispute('won'), ONE, ONE, 0, 0, 'Partly refunded'],
  ],
  [
    'paid twice, the second disputed and lost, which is reported again with another deadline',
    ...paidTwice,
    [(shop) => shop.dispute('open'), 2 * TOTAL, TOTAL, 0, 0, 'In dispute'],
    [(shop) => shop.dispute('lost'), TOTAL, TOTAL, 0, 0, 'Paid'],
    [(shop) => shop.dispute('lost', 1), TOTAL, TOTAL, 0, 0, 'Paid'],
  ],
  [
    'a lost dispute that is won after the order was cancelled',
    paidInFull,
    [(shop) => shop.dispute('lost'), 0, 0, 0, 0, 'Refunded'],
    [(shop) => shop.setStatus(4), 0, 0, 0, 0, 'Refunded'],
    [(shop) => shop.dispute('won'), TOTAL, 0, TOTAL, 0, 'Refund due'],
  ],
  [
    'a refund that the bank gives back',
    ...oneRefunded,
    [(shop) => shop.settle('failed', 'done'), TOTAL, ONE, ONE, 0, 'Refund due'],
  ],
  [
    'came back after payment, refunded but for the way, and taken back to life',
    paidInFull,
    [(shop) => shop.setStatus(5), TOTAL, 0, TOTAL, 0, 'Refund due'],
    [(shop) => shop.keep(6_000), TOTAL, 6_000, TOTAL - 6_000, 0, 'Refund due'],
    [(shop) => shop.refund(TOTAL - 6_000, { byHand: BY_HAND }), 6_000, 6_000, 0, 0, 'Paid'],
    [(shop) => shop.setStatus(2), 6_000, TOTAL, 0, TOTAL - 6_000, 'Partly paid'],
  ],
  [
    'booked by hand, and reported by the provider as well',
    [(shop) => shop.booked(TOTAL), TOTAL, TOTAL, 0, 0, 'Paid'],
    [(shop) => shop.came('P'), 2 * TOTAL, TOTAL, TOTAL, 0, 'Refund due'],
    [async (shop) => shop.undo(await shop.row('payment', 'done', null)), TOTAL, TOTAL, 0, 0, 'Paid'],
  ],
  [
    'a part refunded at the provider',
    paidInFull,
    [(shop) => shop.report({ kind: 'refund', state: 'done', paise: ONE }), ONE, ONE, 0, 0, 'Partly refunded'],
  ],
])('%s', async (_what, ...steps) => {
  const shop = await ledger();
  for (const [index, [step, ...expected]] of steps.entries()) {
    await step(shop);
    expect(await shop.balance(), `after step ${index + 1}`).toEqual(expected);
  }
});

/* Any history of an order: reports of a provider, doubled, late and in any order, and what staff and customer do. */

const AMOUNTS = fc.constantFrom(1, 5_000, ONE, TOTAL - 1, TOTAL);
const few = fc.nat(2);

const kindOf = <K extends string>(kind: K) => ({ kind: fc.constant(kind) });
const ofAttempt = { attempt: few, paise: AMOUNTS };
const reported = { key: few, isPolled: fc.boolean() };
const REFUND = fc.constantFrom('requested' as const, 'done' as const, 'failed' as const);
const DISPUTE = fc.constantFrom('open' as const, 'answered' as const, 'won' as const, 'lost' as const);

const event = fc.oneof(
  fc.record({ ...kindOf('paid'), ...ofAttempt, payment: few, hasOffer: fc.boolean() }),
  fc.record({ ...kindOf('refund'), ...ofAttempt, ...reported, state: REFUND }),
  fc.record({ ...kindOf('own refund'), state: REFUND, isPolled: fc.boolean() }),
  fc.record({ ...kindOf('dispute'), ...ofAttempt, ...reported, state: DISPUTE }),
  fc.record({ ...kindOf('booked'), paise: AMOUNTS }),
  fc.record({ ...kindOf('give back'), paise: AMOUNTS, isByHand: fc.boolean(), isGoods: fc.boolean() }),
  fc.record({ ...kindOf('lower'), paise: AMOUNTS }),
  fc.record({ ...kindOf('do not refund'), paise: AMOUNTS }),
  fc.record(kindOf('take back')),
  fc.record({ ...kindOf('status'), status: fc.constantFrom(1, 2, 3, 4, 5) }),
  fc.record({ ...kindOf('days pass'), days: fc.constantFrom(1, 20, 40) }),
);

type Event = (typeof event extends fc.Arbitrary<infer T> ? T : never) & object;

it('holds every sum, never refunds more than it holds, and changes no row that is done, in any history', async () => {
  const api = await testApi({ settings: { ...UNLIMITED, autoRefund: true } });
  const { db, services } = api;
  let number = 0;

  const orderOf = async () => (await ordersByNumber(db, [number]))[0] ?? expect.fail('no order');

  async function happen(one: Event): Promise<void> {
    if (one.kind === 'paid') {
      const { attempt, payment, paise, hasOffer } = one;
      const paymentId = `pay ${number} ${attempt} ${payment}`;
      const money = { amountPaise: TOTAL, receivedPaise: paise, currency: 'INR', hasOffer, paymentId };
      const report = { outcome: 'succeeded', ...money } as const;
      return settlePayment(services, 'razorpay', `A${number} ${attempt}`, report);
    }
    if (one.kind === 'refund' || one.kind === 'dispute') {
      const { kind, attempt, key, paise, state, isPolled } = one;
      const refunds = [{ kind, id: `${kind} ${number} ${attempt} ${key}`, paise, state }];
      const report = { outcome: 'open', refunds, isPolled } as const;
      return settlePayment(services, 'razorpay', `A${number} ${attempt}`, report);
    }
    if (one.kind === 'own refund') {
      const own = (await movementsOf(db, number)).findLast((row) => row.kind === 'refund' && row.attempt);
      if (!own?.attempt) return;
      const { id, paise } = own;
      const refunds = [{ kind: 'refund', id, externalId: `x${id}`, paise, state: one.state }] as const;
      const report = { outcome: 'open', refunds, isPolled: one.isPolled } as const;
      return settlePayment(services, 'razorpay', own.attempt, report);
    }
    if (one.kind === 'days pass') return api.pass(one.days * DAY);
    await db.write(async (transaction) => {
      const order = await lockAccount(transaction, number);
      const { heldPaise, refundingPaise, disputedPaise, owedPaise, toRefundPaise } = order;
      const book = { transaction, services, orderNumber: number, recordedBy };
      if (one.kind === 'booked') {
        await recordPayment(book, { way: 'own_upi', paise: one.paise });
      } else if (one.kind === 'give back') {
        const lines = one.isGoods ? [{ line: '0', quantity: 1 }] : [];
        const more = one.isByHand ? { byHand: BY_HAND } : {};
        const refused = await refundOrder(book, { paise: one.paise, reason: 'r', lines, ...more });
        if (!refused) expect(one.paise).toBeLessThanOrEqual(heldPaise - refundingPaise - disputedPaise);
      } else if (one.kind === 'lower') {
        const paise = Math.min(one.paise, owedPaise);
        if (paise > 0) await adjust(book, { kind: 'lowered', paise, reason: 'r' });
      } else if (one.kind === 'do not refund') {
        const movements = await movementsOf(transaction, number);
        const failed = movements.find(isFailed);
        const paise = Math.min(one.paise, Math.max(toRefundPaise, failed?.paise ?? 0));
        if (paise > 0) await doNotRefund(book, { failed, paise, reason: 'r' });
      } else if (one.kind === 'take back') {
        const movements = await movementsOf(transaction, number);
        const adjustments = await adjustmentsOf(transaction, number);
        const row = latestBookings({ movements, adjustments }).at(-1);
        if (!row || movements.some(({ refundOf }) => refundOf === row.id)) return;
        await takeBookingBack(book, row);
      } else {
        await runSql(transaction, 'UPDATE orders SET status = ? WHERE number = ?', one.status, number);
        if (one.status >= 4) await refundEnded(book);
      }
    });
  }

  /** The rows that are done. None may disappear, or change its amount or its day. */
  const fixed = async () => {
    const done = (await movementsOf(db, number)).filter(hasMoved);
    const rows = done.map(({ needsReview: _seen, note: _note, answerBy: _until, ...row }) => row);
    return [...rows, ...(await adjustmentsOf(db, number))];
  };

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { minLength: 1, maxLength: 2 }), { maxLength: 25 }),
      async (history) => {
        // Sessions end while days pass.
        const { token } = await api.customer();
        await api.placeOrder(token);
        number += 1;
        for (const attempt of [0, 1, 2])
          await runSql(
            db,
            `INSERT INTO payment_attempts (reference, order_number, provider, method, amount_paise, currency, state,
             return_origin, created_at, changed_at)
           VALUES (?, ?, 'razorpay', 'UPI', ?, 'INR', 'open', '', 0, 0)`,
            `A${number} ${attempt}`,
            number,
            TOTAL,
          );
        for (const atOnce of history) {
          const before = await fixed();
          await Promise.all(atOnce.map(happen));
          const order = await orderOf();
          const movements = await movementsOf(db, number);
          const { needsReview: _reviewed, ...sums } = sumsOf(movements, await adjustmentsOf(db, number));
          expect(order).toMatchObject(sums);
          expect(await fixed()).toEqual(expect.arrayContaining(before));
          expect(
            Math.min(order.heldPaise, order.owedPaise, order.toPayPaise, order.toRefundPaise),
          ).toBeGreaterThanOrEqual(0);
          // No order is owed money and owes some at the same time.
          expect(order.toPayPaise * order.toRefundPaise).toBe(0);
          // A provider was never asked for more than a payment brought.
          for (const payment of movements.filter((row) => row.kind === 'payment' && !row.reverses)) {
            const asked = movements
              .filter((row) => row.refundOf === payment.id && row.kind === 'refund')
              .filter(({ note, state }) => !note.startsWith('Made at') && state === 'requested')
              .reduce((sum, { paise }) => sum + paise, 0);
            expect(asked).toBeLessThanOrEqual(payment.paise);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
