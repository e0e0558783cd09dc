import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseEmail, validateCredentials, validateRegistration } from '#domain/account.ts';
import { canonicalEmail, isEmail } from '#domain/email.ts';

const registration = {
  firstName: 'Meera',
  lastName: 'Kulkarni',
  email: 'meera@example.in',
  password: 'mango-season',
  confirmPassword: 'mango-season',
};

describe('credentials', () => {
  it.each(['', 'meera', 'meera@', 'meera@example', 'a b@example.in', '@example.in'])(
    '[spec 5.login.1] [spec 5.register.3] %j is not an address',
    (email) => {
      expect(isEmail(email)).toBe(false);
      expect(validateCredentials({ email, password: 'secret1' })).toEqual({ email: 'Invalid email address' });
    },
  );

  it('[spec 5.login.1] [fault 119] an address is text, at sign, text, dot, text, wherever else dots stand', () => {
    const written = fc.string({ unit: fc.constantFrom('a', 'ä', '.', '@', ' '), maxLength: 12 });
    fc.assert(
      fc.property(written, (email) => {
        const [before, after = '', ...more] = email.trim().split('@');
        const hasInnerDot = after.slice(1, -1).includes('.');
        expect(isEmail(email)).toBe(
          before !== '' && hasInnerDot && more.length === 0 && !email.trim().includes(' '),
        );
      }),
    );
  });

  it('[spec 5.login.2] counts the characters of a password as a person does', () => {
    const text = 'Password must be at least 6 characters';
    expect(validateCredentials({ email: 'a@b.in', password: '12345' })).toEqual({ password: text });
    expect(validateCredentials({ email: 'a@b.in', password: '🍊🍊🍊' })).toEqual({ password: text });
    expect(validateCredentials({ email: 'a@b.in', password: '123456' })).toEqual({});
  });

  it('[spec 5.register.6] an email is sent trimmed and lower-cased', () => {
    expect(normaliseEmail('  Meera@Example.IN ')).toBe('meera@example.in');
  });
});

describe('registration', () => {
  it('a complete form has no errors', () => {
    expect(validateRegistration(registration)).toEqual({});
  });

  it.each([
    ['[spec 5.register.1]', { firstName: ' M ' }, { firstName: 'First name must be at least 2 characters' }],
    ['[spec 5.register.2]', { lastName: 'K' }, { lastName: 'Last name must be at least 2 characters' }],
    [
      '[spec 5.register.4]',
      { password: 'short', confirmPassword: 'short' },
      { password: 'Password must be at least 6 characters' },
    ],
    [
      '[spec 5.register.5]',
      { confirmPassword: 'mango-reason' },
      { confirmPassword: 'Passwords do not match' },
    ],
  ])('%s says what is wrong with %j', (_, change, errors) => {
    expect(validateRegistration({ ...registration, ...change })).toEqual(errors);
  });
});

describe('canonicalEmail', () => {
  it.each([
    ['  U@B\u00fccher.Example ', 'u@xn--bcher-kva.example'],
    ['u@bu\u0308cher.example', 'u@xn--bcher-kva.example'],
    ['u@xn--bcher-kva.example', 'u@xn--bcher-kva.example'],
    ['u\u200b@b\u00fccher.example', 'u@xn--bcher-kva.example'],
    ['\u202au\u2060@\u00adb\u00fccher.example\u202c', 'u@xn--bcher-kva.example'],
    ['asha@\uff45xample.com', 'asha@example.com'],
    ['asha@example\u3002com', 'asha@example.com'],
    ['asha@example.com.', 'asha@example.com'],
    ['asha@example\u3002com\u3002', 'asha@example.com'],
    ['a\u034fs\u3164h\ufe0fa\u{e0100}@example.com', 'asha@example.com'],
    ['\u115fasha\u180b@example.com', 'asha@example.com'],
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
