// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OWN } from '#domain/json.ts';
import { EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { clearPersonalData } from '#stores/account/session.ts';
import {
  ATTEMPT_KEY,
  readAttempt,
  recordPlaced,
  recordRefused,
  recordUnanswered,
  renewAttempt,
} from '#stores/checkout/checkout-attempt.ts';
import { chooseAddress, readDraft } from '#stores/checkout/shipping-address.ts';
import { MEERA } from '#tests/support/samples.ts';

beforeEach(() => localStorage.clear());

it('the attempt of all tabs is created once and read by every tab', () => {
  const attempt = readAttempt();
  expect(attempt.key).toMatch(/^[\da-z]+(-[\da-z]+){3}$/);
  expect(readAttempt()).toEqual(attempt);
});

it('the attempt of all tabs stores its order, and is renewed when the cart is filled again', () => {
  const { key } = readAttempt();
  renewAttempt();
  expect(readAttempt().key).toBe(key);
  recordPlaced('order-1');
  expect(readAttempt()).toEqual({ key, orderId: 'order-1' });
  renewAttempt();
  expect(readAttempt().key).not.toBe(key);
  expect(readAttempt().orderId).toBeUndefined();
});

it('the attempt of all tabs stores an unanswered order until the server refuses it', () => {
  const { key } = readAttempt();
  recordUnanswered({ fingerprint: 'f', before: ['a'] });
  expect(readAttempt()).toEqual({ key, unanswered: { fingerprint: 'f', before: ['a'] } });
  recordRefused();
  expect(readAttempt()).toEqual({ key });
});

it.each([
  ...['null', '{}', '42', '{', '{"key":7}', '{"key":"short"}', '{"key":"with a line\\nbreak-and-more"}'],
])('the attempt of all tabs is created again if storage contains %s', (junk) => {
  localStorage.setItem(OWN + ATTEMPT_KEY, junk);
  expect(readAttempt().key).toMatch(/^[\w-]{16,}$/);
});

describe('the address draft', () => {
  const NOON = Date.parse('2026-03-01T12:00:00Z');

  beforeEach(() => {
    sessionStorage.clear();
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  });

  afterEach(() => void vi.useRealTimers());

  const signOutElsewhere = (at: number): void => localStorage.setItem(`${OWN}signed-out`, String(at));

  it('is restored', () => {
    chooseAddress(MEERA);
    expect(readDraft()).toEqual(MEERA);
  });

  it.each([
    ['in the same millisecond', 0, EMPTY_ADDRESS],
    ['later', 1, EMPTY_ADDRESS],
    ['before it was typed', -1, MEERA],
  ])('after a sign-out in another tab %s', (_when, ms, left) => {
    chooseAddress(MEERA);
    signOutElsewhere(NOON + ms);
    vi.setSystemTime(NOON + 1);
    expect(readDraft()).toEqual(left);
  });

  it('is discarded by a sign-out in this tab', () => {
    chooseAddress(MEERA);
    clearPersonalData();
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });

  it('is kept if the clock was set back after a sign-out', () => {
    chooseAddress(MEERA);
    signOutElsewhere(NOON + 1);
    expect(readDraft()).toEqual(MEERA);
  });

  it('of an older version, which has no time, is kept until the next sign-out', () => {
    sessionStorage.setItem(`${OWN}checkout-address`, JSON.stringify(MEERA));
    expect(readDraft()).toEqual(MEERA);
    signOutElsewhere(NOON);
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });
});
