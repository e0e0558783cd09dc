// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { forgetDrafts, keepDraft, readDraft } from '#stores/checkout-draft.ts';
import { MEERA } from '#tests/support/order.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const signOutElsewhere = (at: number): void => localStorage.setItem('signed-out', String(at));

describe('the address as it is typed', () => {
  it('[fault 35] is there again', () => {
    keepDraft(MEERA);
    expect(readDraft()).toEqual(MEERA);
  });

  it('[fault 44] goes with a sign-out, also of another tab', () => {
    keepDraft(MEERA);
    signOutElsewhere(Date.now() + 1);
    expect(readDraft()).toEqual(MEERA);
    signOutElsewhere(Date.now());
    sessionStorage.setItem('checkout-address', JSON.stringify({ ...MEERA, typedAt: Date.now() - 1 }));
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
    keepDraft(MEERA);
    forgetDrafts();
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });

  it('what was kept before there was a time to it is kept until the next sign-out', () => {
    sessionStorage.setItem('checkout-address', JSON.stringify(MEERA));
    expect(readDraft()).toEqual(MEERA);
    signOutElsewhere(Date.now());
    expect(readDraft()).toEqual(EMPTY_ADDRESS);
  });
});
