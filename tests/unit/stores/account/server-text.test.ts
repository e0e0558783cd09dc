import { describe, expect, it } from 'vitest';
import { serverText } from '#stores/account/server-text.ts';

describe('the server’s error text', () => {
  it('exists only if the server has answered with a text', () => {
    expect(serverText({ kind: 'no-answer' })).toBeUndefined();
    expect(serverText({ kind: 'unreadable', status: 200 })).toBeUndefined();
    expect(serverText({ kind: 'refused', status: 500 })).toBeUndefined();
    expect(serverText({ kind: 'refused', status: 422, error: 'No.' })).toBe('No.');
  });

  it.each([
    ['Too many.', 'Too many. Please try again in 42 seconds.'],
    [undefined, 'Too many attempts. Please try again in 42 seconds.'],
    ['Wait 42 s.', 'Wait 42 s.'],
    ['At most 42 tries.', 'At most 42 tries. Please try again in 42 seconds.'],
    ['Wait 42 seconds.', 'Wait 42 seconds.'],
  ])('[fault 9] %s always names the seconds', (error, text) => {
    const failure = {
      kind: 'refused',
      status: 429,
      retryAfterSeconds: 42,
      ...(error ? { error } : {}),
    } as const;
    expect(serverText(failure)).toBe(text);
  });
});
