// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { keepDraft, readDraft } from '#stores/checkout/checkout-draft.ts';
import { forgetDrafts } from '#stores/checkout/forget-drafts.ts';
import { MEERA } from '#tests/support/order.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
});

afterEach(() => void vi.useRealTimers());

const signOutElsewhere = (at: number): void => localStorage.setItem('signed-out', String(at));

describe('the address draft', () => {
  it('[fault 35] is restored', () => {
    keepDraft(MEERA);
    expect(readDraft()).toEqual(MEERA);
  });

  it.each([
    ['in the same millisecond', 0, EMPTY_ADDRESS],
    ['later', 1, EMPTY_ADDRESS],
    ['before it was typed', -1, MEERA],
  ])('[fault 44] after a sign-out in another tab %s', (_when, ms, left) => {
    keepDraft(MEERA);
    signOutElsewhere(NOON + ms);
    vi.setSystemTime(NOON + 1);
    expect(readDraft()).toEqual(left);
  });

  it('[fault 44] is discarded by a sign-out in this tab', () => {
    keepDraft(MEERA);
    forgetDrafts();
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });

  it('is kept if the clock was set back after a sign-out', () => {
    keepDraft(MEERA);
    signOutElsewhere(NOON + 1);
    expect(readDraft()).toEqual(MEERA);
  });

  it('without a time, as older versions stored it, is kept until the next sign-out', () => {
    sessionStorage.setItem('checkout-address', JSON.stringify(MEERA));
    expect(readDraft()).toEqual(MEERA);
    signOutElsewhere(NOON);
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });
});
