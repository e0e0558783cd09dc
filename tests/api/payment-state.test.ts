import { describe, expect, it } from 'vitest';
import { amountText, readAmount } from '#scripts/api/amount.ts';
import { MOVES, statusAfter } from '#scripts/api/order-moves.ts';
import { nextPaymentState, PAYMENT_STATES, type PaymentReport } from '#scripts/api/payment-state.ts';

const open = { amountPaise: 89_900, currency: 'INR' };
const right: PaymentReport = { outcome: 'succeeded', ...open };
const failed: PaymentReport = { outcome: 'failed', ...open };
const less: PaymentReport = { ...right, amountPaise: 89_899 };
const unreadable: PaymentReport = { ...right, amountPaise: undefined };
const dollars: PaymentReport = { ...right, currency: 'USD' };

const ENDS = ['paid', 'flagged', 'refund_due'] as const;

describe('nextPaymentState', () => {
  it.each([
    ['started', 0, right, 'paid'],
    ['failed', 0, right, 'paid'],
    ['started', 0, failed, 'failed'],
    ['failed', 0, failed, 'failed'],
    ['started', 0, less, 'flagged'],
    ['started', 0, unreadable, 'flagged'],
    ['failed', 0, dollars, 'flagged'],
    ['started', 1, right, 'refund_due'],
    ['started', 4, right, 'refund_due'],
    ['failed', 2, right, 'refund_due'],
    ['started', 4, failed, 'failed'],
    ['started', 4, less, 'flagged'],
  ] as const)('[fault 77] %s, order %i, %j → %s', (state, orderStatus, report, expected) => {
    expect(nextPaymentState({ ...open, state }, orderStatus, report)).toBe(expected);
  });

  it('[fault 77] nothing moves a payment that is paid, flagged or owed back', () => {
    expect(PAYMENT_STATES).toEqual(['started', 'failed', ...ENDS]);
    for (const state of ENDS) {
      for (const report of [right, failed, less, unreadable, dollars]) {
        for (const status of [0, 1, 2, 3, 4]) {
          expect(nextPaymentState({ ...open, state }, status, report)).toBe(state);
        }
      }
    }
  });
});

describe('statusAfter', () => {
  it('allows exactly the moves forward, and cancelling before it is shipped', () => {
    const allowed = (['process', 'ship', 'deliver', 'cancel'] as const).flatMap((move) =>
      [0, 1, 2, 3, 4]
        .filter((status) => statusAfter(move, status) !== undefined)
        .map((status) => `${move} ${status}`),
    );
    expect(allowed).toEqual(['process 0', 'ship 1', 'deliver 2', 'cancel 0', 'cancel 1']);
    expect(Object.values(MOVES).map(({ to }) => to)).toEqual([1, 2, 3, 4]);
  });
});

describe('amounts', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [89_900, '899.00'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('[resolutions 18] %i paise are %s, there and back', (paise, text) => {
    expect([amountText(paise), readAmount(text)]).toEqual([text, paise]);
  });

  it.each(['', '1', '1.0', '-1.00', '1.000', '1e3.00', '99999999999999.99', ' 1.00'])(
    '%j is no amount',
    (text) => {
      expect(readAmount(text)).toBeUndefined();
    },
  );
});
