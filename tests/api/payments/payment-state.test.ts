import { describe, expect, it } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { nextPaymentState, PAYMENT_STATES } from '#scripts/api/payments/payment-state.ts';
import type { PaymentReport } from '#scripts/api/payments/providers/provider.ts';

const open = { amountPaise: 89_900, currency: CURRENCY.code };
const right: PaymentReport = { outcome: 'succeeded', ...open };
const failed: PaymentReport = { outcome: 'failed', ...open };
const less: PaymentReport = { ...right, amountPaise: 89_899 };
const unreadable: PaymentReport = { ...right, amountPaise: undefined };
const dollars: PaymentReport = { ...right, currency: 'USD' };

const ENDS = ['paid', 'flagged', 'refund_due', 'refunded', 'to_collect'] as const;

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
    expect(new Set(PAYMENT_STATES)).toEqual(new Set(['started', 'failed', ...ENDS]));
    for (const state of ENDS) {
      for (const report of [right, failed, less, unreadable, dollars]) {
        for (const status of [0, 1, 2, 3, 4]) {
          expect(nextPaymentState({ ...open, state }, status, report)).toBe(state);
        }
      }
    }
  });
});
