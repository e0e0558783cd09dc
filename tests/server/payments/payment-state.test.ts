import { describe, expect, it } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { PAYMENT_STATES } from '#server/db/tables.ts';
import { nextPaymentState } from '#server/payments/payment-state.ts';
import { exactPaise, parseExact, wholePaise } from '#server/payments/providers/exact-json.ts';
import type { PaymentReport } from '#server/payments/providers/provider.ts';

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
  ] as const)('%s, order %i, %j → %s', (state, orderStatus, report, expected) => {
    expect(nextPaymentState({ ...open, state }, orderStatus, report)).toBe(expected);
  });

  it('keeps the state of a payment that is paid, flagged or due for a refund', () => {
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

it.each([
  ['500', 50_000],
  ['500.0', 50_000],
  ['500.00', 50_000],
  ['5e2', 50_000],
  ['5E+2', 50_000],
  ['50000e-2', 50_000],
  ['0.1', 10],
  ['1.15', 115],
  ['90071992547409.91', 9_007_199_254_740_991],
  ['500.001', undefined],
  ['5e-3', undefined],
  ['90071992547409.92', undefined],
  ['1e99', undefined],
  ['-5', undefined],
  ['', undefined],
  ['5,00', undefined],
  ['0x10', undefined],
])('the amount %s is %s paise', (text, paise) => expect(exactPaise(text)).toBe(paise));

it.each([
  ['50000', 50_000],
  ['50000.5', undefined],
  ['5e4', undefined],
  ['', undefined],
])('%s whole paise are %s', (text, paise) => expect(wholePaise(text)).toBe(paise));

it('parses JSON with each number as its exact source text', () =>
  expect(parseExact('{"a": 500.00, "b": [5e2], "c": "x", "d": null, "e": true}')).toEqual({
    a: '500.00',
    b: ['5e2'],
    c: 'x',
    d: null,
    e: true,
  }));
