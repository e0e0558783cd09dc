import { describe, expect, it } from 'vitest';
import { canonicalEmail } from '#domain/email.ts';

describe('canonicalEmail', () => {
  it.each([
    ['  U@B\u00fccher.Example ', 'u@xn--bcher-kva.example'],
    ['u@bu\u0308cher.example', 'u@xn--bcher-kva.example'],
    ['u@xn--bcher-kva.example', 'u@xn--bcher-kva.example'],
    ['u\u200b@b\u00fccher.example', 'u@xn--bcher-kva.example'],
    ['\u202au\u2060@\u00adb\u00fccher.example\u202c', 'u@xn--bcher-kva.example'],
    ['asha@\uff45xample.com', 'asha@example.com'],
    ['asha@example\u3002com', 'asha@example.com'],
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ])('%j is %j', (typed, canonical) => {
    expect(canonicalEmail(typed)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });

  it.each(['no email', 'a@b.example:80', 'a@b.example/c', 'a@b.example?c', 'a@b%2ec.example'])(
    'leaves %j, which is no email, as it is',
    (text) => {
      expect(canonicalEmail(text)).toBe(text);
    },
  );
});
