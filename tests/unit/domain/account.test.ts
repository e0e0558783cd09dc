import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { validate } from '#domain/account.ts';
import { canonicalEmail, isEmail } from '#domain/email.ts';
import { EmailSchema } from '#server/customers/schema.ts';

const registration = {
  firstName: 'Meera',
  lastName: 'Kulkarni',
  email: 'meera@example.in',
  password: 'mango-season',
  confirmPassword: 'mango-season',
};

const TOO_SHORT = 'Password must be at least 6 characters';

it.each(['', 'meera', 'meera@', 'meera@example', 'a b@example.in', '@example.in'])(
  '[spec 5.login.1] [spec 5.register.3] %j is not an email',
  (email) => {
    expect(isEmail(email)).toBe(false);
    expect(validate({ email, password: 'secret1' })).toEqual({ email: 'Invalid email address' });
  },
);

it('[spec 5.login.1] an email is text, @, text, dot, text, without empty parts of the domain', () => {
  const written = fc.string({ unit: fc.constantFrom('a', 'ä', '.', '@', ' '), maxLength: 12 });
  fc.assert(
    fc.property(written, (email) => {
      const [before, after = '', ...more] = email.trim().split('@');
      const parts = after.replace(/\.$/, '').split('.');
      const isDomain = parts.length > 1 && parts.every((part) => part !== '');
      expect(isEmail(email)).toBe(
        before !== '' && isDomain && more.length === 0 && !email.trim().includes(' '),
      );
    }),
  );
});

it('[spec 5.login.2] counts visible characters of a password', () => {
  expect(validate({ email: 'a@b.in', password: '12345' })).toEqual({ password: TOO_SHORT });
  expect(validate({ email: 'a@b.in', password: '🍊🍊🍊' })).toEqual({ password: TOO_SHORT });
  expect(validate({ email: 'a@b.in', password: '123456' })).toEqual({});
});

it('a complete form has no errors', () => expect(validate(registration)).toEqual({}));

it.each([
  ['[spec 5.register.1]', { firstName: ' M ' }, { firstName: 'First name must be at least 2 characters' }],
  ['[spec 5.register.2]', { lastName: 'K' }, { lastName: 'Last name must be at least 2 characters' }],
  ['[spec 5.register.4]', { password: 'short', confirmPassword: 'short' }, { password: TOO_SHORT }],
  ['[spec 5.register.5]', { confirmPassword: 'mango' }, { confirmPassword: 'Passwords do not match' }],
])('%s a registration shows an error for %j', (_, change, errors) => {
  expect(validate({ ...registration, ...change })).toEqual(errors);
});

it.each([
  ['  Meera@Example.IN ', 'meera@example.in'],
  ['  U@B\u00fccher.Example ', 'u@xn--bcher-kva.example'],
  ['जय१@example.in', 'जय१@example.in'],
  ['u@bu\u0308cher.example', 'u@xn--bcher-kva.example'],
  ['u@xn--bcher-kva.example', 'u@xn--bcher-kva.example'],
  ['u\u200b@b\u00fccher.example', 'u@xn--bcher-kva.example'],
  ['\u202au\u2060@\u00adb\u00fccher.example\u202c', 'u@xn--bcher-kva.example'],
  ['asha@\uff45xample.com', 'asha@example.com'],
  ['asha@example\u3002com', 'asha@example.com'],
  ['asha@example.com.', 'asha@example.com'],
  ['asha@example\u3002com\u3002', 'asha@example.com'],
  ['a\u034fs\u3164h\ufe0fa\u{e0100}@example.com', 'asha@example.com'],
  ['a\u2800sha@exam\u2800ple.com', 'asha@example.com'],
  ['\u115fasha\u180b@example.com', 'asha@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
])('[spec 5.register.6] %j is %j', (typed, canonical) => {
  expect(canonicalEmail(typed)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});

it.each([
  ...['a@b.example:80', 'a@b.example/c', 'a@b.example?c', 'a@b%2ec.example', 'u@ex%61mple.com'],
  ...['u@exa^mple.com', 'u@example..com', 'u@.example.com', 'u@-example.com', 'u@exa_mple.com'],
  ...['u@[::1]', 'u@127.1', 'u@10.0.0.0x1', 'u@xn--.example', 'https://win.example/u@example.com'],
  ...['u?subject=x@example.com', 'tel:u@example.com', 'u,v@example.com', '<u@example.com'],
])('%j is not an email', (text) => {
  expect(isEmail(text)).toBe(false);
  expect(v.safeParse(EmailSchema, text).success).toBe(false);
});
