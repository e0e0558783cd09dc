// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ATTEMPT_KEY,
  notePlaced,
  noteRefused,
  noteUnanswered,
  readAttempt,
  renewAttempt,
} from '#stores/checkout/checkout-attempt.ts';

beforeEach(() => localStorage.clear());

describe('the checkout attempt that all tabs share', () => {
  it('[fault 74] is created once and read by every tab', () => {
    const attempt = readAttempt();
    expect(attempt.key).toMatch(/^[\da-z]+(-[\da-z]+){3}$/);
    expect(readAttempt()).toEqual(attempt);
  });

  it('[fault 31] stores its order, and a cart that is filled again starts a new attempt', () => {
    const { key } = readAttempt();
    renewAttempt();
    expect(readAttempt().key).toBe(key);
    notePlaced('order-1');
    expect(readAttempt()).toEqual({ key, orderId: 'order-1' });
    renewAttempt();
    expect(readAttempt().key).not.toBe(key);
    expect(readAttempt().orderId).toBeUndefined();
  });

  it('[fault 20] remembers an unanswered order until the server refuses it', () => {
    const { key } = readAttempt();
    noteUnanswered({ fingerprint: 'f', before: ['a'] });
    expect(readAttempt()).toEqual({ key, unanswered: { fingerprint: 'f', before: ['a'] } });
    noteRefused();
    expect(readAttempt()).toEqual({ key });
  });

  it.each([
    'null',
    '{}',
    '42',
    '{',
    '{"key":7}',
    '{"key":"short"}',
    '{"key":"with a line\\nbreak-and-more"}',
  ])('starts anew if storage contains %s', (junk) => {
    localStorage.setItem(ATTEMPT_KEY, junk);
    expect(readAttempt().key).toMatch(/^[\w-]{16,}$/);
  });
});
