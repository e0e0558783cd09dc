import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latestBookings } from '#server/ledger/admin/booking-pages.tsx';
import { adjust, lockAccount, recordPayment, reverse, takeBookingBack } from '#server/ledger/book.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { adjustmentsOf, hasMoved, type Movement, movementsOf, sumsOf } from '#server/ledger/movements.ts';
import { doNotRefund, recordRefund } from '#server/ledger/refund.ts';
import { type ReportedRow, recordReported } from '#server/ledger/reported.ts';
import { ordersByNumber } from '#server/orders/stored-orders.ts';
import type { ReportedRefund } from '#server/payments/providers/provider.ts';
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
  const rows = () => movementsOf(db, 1);
  const row = async (kind: Movement['kind'], state: Movement['state'], attempt?: null) =>
    (await rows()).findLast(
      (one) => one.kind === kind && one.state === state && (attempt !== null || one.attempt === null),
    ) ?? expect.fail('no row');
  const report = (given: Pick<ReportedRow, 'kind' | 'state' | 'paise'> & Partial<ReportedRow>) =>
    db.write((transaction) =>
      recordReported(
        transaction,
        services,
        { reference: 'A', provider: 'razorpay', orderNumber: 1 },
        'Razorpay',
        { id: 'X', externalId: 'X', providerMessage: '', answerBy: null, at: undefined, ...given },
        true,
      ),
    );
  return {
    setStatus: (status: number) => runSql(db, 'UPDATE orders SET status = ?', status),
    came: (externalId: string, paise: number) =>
      db.write((transaction) =>
        recordPayment(transaction, services, 1, {
          way: 'razorpay',
          attempt: 'A',
          externalId,
          paise,
          recordedBy,
        }),
      ),
    booked: (paise: number, way = 'bank_transfer') =>
      db.write((transaction) => recordPayment(transaction, services, 1, { way, paise, recordedBy })),
    refund: (paise: number, more: object = {}) =>
      db.write((transaction) =>
        recordRefund(transaction, services, 1, { paise, reason: 'A bruise', recordedBy, ...more }),
      ),
    writeOff: (paise: number) =>
      db.write((transaction) =>
        adjust(transaction, services, 1, { kind: 'written_off', paise, reason: 'Lost', recordedBy }),
      ),
    undo: async (own: Movement) =>
      db.write((transaction) => reverse(transaction, services, own, { recordedBy })),
    keep: (paise: number, failed?: Movement) =>
      db.write((transaction) =>
        doNotRefund(transaction, services, 1, { failed, paise, reason: 'For the way', recordedBy }),
      ),
    /** The provider reports how the refund that is on its way ended. */
    settle: async (state: Movement['state']) => {
      const { id, paise } = await row('refund', 'requested');
      await report({ kind: 'refund', id, paise, state });
    },
    report,
    row,
    atDoor: () => runSql(db, 'UPDATE orders SET paid_at_door = 1, status = 2'),
    balance: async () => {
      const [order] = await ordersByNumber(db, [1]);
      if (!order) throw new Error('no order');
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

const paidInFull: Step = [(shop) => shop.came('P', TOTAL), TOTAL, TOTAL, 0, 0, 'Paid'];
const paidTwice: readonly Step[] = [
  paidInFull,
  [(shop) => shop.came('Q', TOTAL), 2 * TOTAL, TOTAL, TOTAL, 0, 'Refund due'],
];

it.each<readonly [what: string, steps: readonly Step[]]>([
  [
    'paid, delivered, a piece given back',
    [
      paidInFull,
      [(shop) => shop.refund(ONE), TOTAL, ONE, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('done'), ONE, ONE, 0, 0, 'Partly refunded'],
    ],
  ],
  [
    'cash of which a part came, and the rest is written off',
    [
      [(shop) => shop.atDoor(), 0, TOTAL, 0, TOTAL, 'To collect'],
      [(shop) => shop.booked(50_000, 'cash'), 50_000, TOTAL, 0, TOTAL - 50_000, 'To collect'],
      [(shop) => shop.writeOff(TOTAL - 50_000), 50_000, 50_000, 0, 0, 'Paid'],
    ],
  ],
  [
    'paid twice, the second refunded',
    [
      ...paidTwice,
      [(shop) => shop.refund(TOTAL), 2 * TOTAL, TOTAL, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('done'), TOTAL, TOTAL, 0, 0, 'Paid'],
    ],
  ],
  [
    'cancelled unpaid; money comes; refunded',
    [
      [(shop) => shop.setStatus(4), 0, 0, 0, 0, 'Nothing'],
      [(shop) => shop.came('P', TOTAL), TOTAL, 0, TOTAL, 0, 'Refund due'],
      [(shop) => shop.refund(TOTAL, { byHand: BY_HAND }), 0, 0, 0, 0, 'Refunded'],
    ],
  ],
  [
    'goodwill that fails, and is given by hand',
    [
      paidInFull,
      [(shop) => shop.refund(20_000), TOTAL, TOTAL - 20_000, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('failed'), TOTAL, TOTAL - 20_000, 20_000, 0, 'Refund due'],
      [
        async (shop) =>
          shop.refund(20_000, { byHand: BY_HAND, retryOf: (await shop.row('refund', 'failed')).id }),
        TOTAL - 20_000,
        TOTAL - 20_000,
        0,
        0,
        'Partly refunded',
      ],
    ],
  ],
  [
    'goodwill that fails, and is not given at all',
    [
      paidInFull,
      [(shop) => shop.refund(20_000), TOTAL, TOTAL - 20_000, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('failed'), TOTAL, TOTAL - 20_000, 20_000, 0, 'Refund due'],
      [async (shop) => shop.keep(20_000, await shop.row('refund', 'failed')), TOTAL, TOTAL, 0, 0, 'Paid'],
    ],
  ],
  [
    'a piece refunded, then a dispute of all of it is lost, won after all, and lost again',
    [
      paidInFull,
      [(shop) => shop.refund(ONE), TOTAL, ONE, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('done'), ONE, ONE, 0, 0, 'Partly refunded'],
      [(shop) => shop.report({ kind: 'dispute', state: 'open', paise: TOTAL }), ONE, ONE, 0, 0, 'In dispute'],
      [(shop) => shop.report({ kind: 'dispute', state: 'lost', paise: TOTAL }), 0, 0, 0, 0, 'Refunded'],
      [
        (shop) => shop.report({ kind: 'dispute', state: 'won', paise: TOTAL }),
        ONE,
        ONE,
        0,
        0,
        'Partly refunded',
      ],
      [(shop) => shop.report({ kind: 'dispute', state: 'lost', paise: TOTAL }), 0, 0, 0, 0, 'Refunded'],
      [
        async (shop) => {
          for (const state of ['won', 'lost', 'won'] as const)
            await shop.report({ kind: 'dispute', state, paise: TOTAL });
        },
        ONE,
        ONE,
        0,
        0,
        'Partly refunded',
      ],
    ],
  ],
  [
    'paid twice, the second disputed and lost',
    [
      ...paidTwice,
      [
        (shop) => shop.report({ kind: 'dispute', state: 'open', paise: TOTAL }),
        2 * TOTAL,
        TOTAL,
        0,
        0,
        'In dispute',
      ],
      [(shop) => shop.report({ kind: 'dispute', state: 'lost', paise: TOTAL }), TOTAL, TOTAL, 0, 0, 'Paid'],
    ],
  ],
  [
    'a refund that the bank gives back',
    [
      paidInFull,
      [(shop) => shop.refund(ONE), TOTAL, ONE, 0, 0, 'Refund in progress'],
      [(shop) => shop.settle('done'), ONE, ONE, 0, 0, 'Partly refunded'],
      [
        async (shop) => {
          const { id, paise } = await shop.row('refund', 'done');
          await shop.report({ kind: 'refund', id, paise, state: 'failed' });
        },
        TOTAL,
        ONE,
        ONE,
        0,
        'Refund due',
      ],
    ],
  ],
  [
    'came back after payment, refunded but for the way, and taken back to life',
    [
      paidInFull,
      [(shop) => shop.setStatus(5), TOTAL, 0, TOTAL, 0, 'Refund due'],
      [(shop) => shop.keep(6_000), TOTAL, 6_000, TOTAL - 6_000, 0, 'Refund due'],
      [(shop) => shop.refund(TOTAL - 6_000, { byHand: BY_HAND }), 6_000, 6_000, 0, 0, 'Paid'],
      [(shop) => shop.setStatus(2), 6_000, TOTAL, 0, TOTAL - 6_000, 'Partly paid'],
    ],
  ],
  [
    'booked by hand, and reported by the provider as well',
    [
      [(shop) => shop.booked(TOTAL), TOTAL, TOTAL, 0, 0, 'Paid'],
      [(shop) => shop.came('P', TOTAL), 2 * TOTAL, TOTAL, TOTAL, 0, 'Refund due'],
      [
        async (shop) => {
          await shop.undo(await shop.row('payment', 'done', null));
        },
        TOTAL,
        TOTAL,
        0,
        0,
        'Paid',
      ],
    ],
  ],
  [
    'a part refunded at the provider',
    [
      paidInFull,
      [
        (shop) => shop.report({ kind: 'refund', state: 'done', paise: ONE }),
        ONE,
        ONE,
        0,
        0,
        'Partly refunded',
      ],
    ],
  ],
])('%s', async (_what, steps) => {
  const shop = await ledger();
  for (const [index, [step, ...expected]] of steps.entries()) {
    await step(shop);
    expect(await shop.balance(), `after step ${index + 1}`).toEqual(expected);
  }
});

/* Any history of an order: reports of a provider, doubled, late and in any order, and what staff and customer do. */

const AMOUNTS = fc.constantFrom(1, 5_000, ONE, TOTAL - 1, TOTAL);
const few = fc.nat(2);

const event = fc.oneof(
  fc.record({
    kind: fc.constant('paid' as const),
    attempt: few,
    payment: few,
    paise: AMOUNTS,
    hasOffer: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    attempt: few,
    key: few,
    paise: AMOUNTS,
    state: fc.constantFrom('requested' as const, 'done' as const, 'failed' as const),
    isPolled: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('own refund' as const),
    state: fc.constantFrom('requested' as const, 'done' as const, 'failed' as const),
    isPolled: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('dispute' as const),
    attempt: few,
    key: few,
    paise: AMOUNTS,
    state: fc.constantFrom('open' as const, 'answered' as const, 'won' as const, 'lost' as const),
    isPolled: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('booked' as const), paise: AMOUNTS }),
  fc.record({
    kind: fc.constant('give back' as const),
    paise: AMOUNTS,
    isByHand: fc.boolean(),
    isGoods: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('lower' as const), paise: AMOUNTS }),
  fc.record({ kind: fc.constant('do not refund' as const), paise: AMOUNTS }),
  fc.record({ kind: fc.constant('take back' as const) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(1, 2, 3, 4, 5) }),
  fc.record({ kind: fc.constant('days pass' as const), days: fc.constantFrom(1, 20, 40) }),
);

type Event = (typeof event extends fc.Arbitrary<infer T> ? T : never) & object;

it('holds every sum, never refunds more than it holds, and changes no row that is done, in any history', async () => {
  const api = await testApi({ settings: { ...UNLIMITED, autoRefund: true } });
  const { db, services } = api;
  let number = 0;

  const write = db.write;
  const orderOf = async () => (await ordersByNumber(db, [number]))[0] ?? expect.fail('no order');

  async function happen(one: Event): Promise<void> {
    if (one.kind === 'paid') {
      const { attempt, payment, paise, hasOffer } = one;
      const report = {
        outcome: 'succeeded',
        amountPaise: TOTAL,
        receivedPaise: paise,
        currency: 'INR',
      } as const;
      const paymentId = `pay ${number} ${attempt} ${payment}`;
      return settlePayment(services, 'razorpay', `A${number} ${attempt}`, { ...report, hasOffer, paymentId });
    }
    if (one.kind === 'refund' || one.kind === 'dispute') {
      const { kind, attempt, key, paise, state, isPolled } = one;
      const refunds = [{ kind, key: `${kind} ${number} ${attempt} ${key}`, paise, state, text: '' }];
      const report = { outcome: 'open', refunds, isPolled } as const;
      return settlePayment(services, 'razorpay', `A${number} ${attempt}`, report);
    }
    if (one.kind === 'own refund') {
      const own = (await movementsOf(db, number)).findLast((row) => row.kind === 'refund' && row.attempt);
      if (!own?.attempt) return;
      const { id: key, paise } = own;
      const refunds: ReportedRefund[] = [
        { kind: 'refund', key, externalId: `x${key}`, paise, state: one.state },
      ];
      return settlePayment(services, 'razorpay', own.attempt, {
        outcome: 'open',
        refunds,
        isPolled: one.isPolled,
      });
    }
    if (one.kind === 'days pass') return api.pass(one.days * DAY);
    await write(async (transaction) => {
      const order = await lockAccount(transaction, number);
      const { heldPaise, refundingPaise, disputedPaise, owedPaise, toRefundPaise } = order;
      if (one.kind === 'booked') {
        await recordPayment(transaction, services, number, { way: 'own_upi', paise: one.paise, recordedBy });
      } else if (one.kind === 'give back') {
        const lines = one.isGoods ? [{ line: '0', quantity: 1 }] : [];
        const more = one.isByHand ? { byHand: BY_HAND } : {};
        const request = { paise: one.paise, reason: 'r', recordedBy, lines, ...more };
        const refused = await refundOrder(transaction, services, number, request);
        if (!refused) expect(one.paise).toBeLessThanOrEqual(heldPaise - refundingPaise - disputedPaise);
      } else if (one.kind === 'lower') {
        const paise = Math.min(one.paise, owedPaise);
        const row = { kind: 'lowered', paise, reason: 'r', recordedBy } as const;
        if (paise > 0) await adjust(transaction, services, number, row);
      } else if (one.kind === 'do not refund') {
        const movements = await movementsOf(transaction, number);
        const failed = movements.find((row) => row.state === 'failed' && row.needsReview === 1);
        const paise = Math.min(one.paise, Math.max(toRefundPaise, failed?.paise ?? 0));
        if (paise > 0)
          await doNotRefund(transaction, services, number, { failed, paise, reason: 'r', recordedBy });
      } else if (one.kind === 'take back') {
        const movements = await movementsOf(transaction, number);
        const adjustments = await adjustmentsOf(transaction, number);
        const row = latestBookings({ movements, adjustments }).at(-1);
        if (!row || movements.some(({ refundOf }) => refundOf === row.id)) return;
        await takeBookingBack(transaction, services, row, { recordedBy });
      } else {
        await runSql(transaction, 'UPDATE orders SET status = ? WHERE number = ?', one.status, number);
        if (one.status >= 4) await refundEnded(transaction, services, number);
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
          for (const payment of movements.filter(
            ({ kind, reverses }) => kind === 'payment' && reverses === null,
          )) {
            const own = movements.filter(
              (row) =>
                row.refundOf === payment.id &&
                !row.note.startsWith('Made at') &&
                row.kind === 'refund' &&
                row.state === 'requested',
            );
            expect(own.reduce((sum, { paise }) => sum + paise, 0)).toBeLessThanOrEqual(payment.paise);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
