import * as v from 'valibot';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TokenSchema } from '#api/schema/account.ts';
import { deleteToken, readToken, storeToken } from '#api/token.ts';

/** The attributes of the last write to document.cookie. */
function stubPage(protocol: string): string[][] {
  const written: string[][] = [];
  vi.stubGlobal('location', { protocol });
  vi.stubGlobal('document', {
    get cookie() {
      return '';
    },
    set cookie(text: string) {
      written.push(text.split('; '));
    },
  });
  return written;
}

const DAY_MS = 86_400_000;

test('[spec 9.session.1] the cookie is valid for the whole site and 30 days, Lax, and Secure on https', () => {
  const now = new Date('2026-01-05T10:00:00Z');
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now });
  const written = stubPage('https:');
  storeToken('a-token');
  const [cookie] = written;
  expect(cookie?.[0]).toBe('auth_token=a-token');
  expect(cookie).toEqual(expect.arrayContaining(['path=/', 'sameSite=lax', 'secure']));
  expect(cookie).toContain(`expires=${new Date(now.getTime() + 30 * DAY_MS).toUTCString()}`);
});

test('on http the cookie is not Secure, so that signing in works on localhost', () => {
  const written = stubPage('http:');
  storeToken('a-token');
  expect(written[0]?.some((attribute) => attribute.startsWith('secure'))).toBe(false);
});

test('signing out deletes the cookie', () => {
  const written = stubPage('https:');
  deleteToken();
  expect(written[0]?.[0]).toBe('auth_token=');
  expect(written[0]).toContain('path=/');
  const expires = written[0]?.find((attribute) => attribute.startsWith('expires='))?.slice(8) ?? '';
  expect(Date.parse(expires)).toBeLessThan(Date.now());
  expect(readToken()).toBeUndefined();
});

const tokenOf = (token: unknown): string | undefined => {
  const parsed = v.safeParse(TokenSchema, { token });
  return parsed.success ? parsed.output.token : undefined;
};

test.each<unknown>([
  ...['a; domain=evil.example', 'a;path=/x', 'a\r\nSet-Cookie: b=c', 'a\nb', 'a b', 'a\tb', 'a"b', 'a,b'],
  ...['a\\b', 'a\u0000b', 'ä', '🍊', '', 'x'.repeat(8_192), 7, true, null, {}, ['x'], { toString: 'x' }],
])('the token %j is ignored', (token) => expect(tokenOf(token)).toBeUndefined());

test('a token that fits into a cookie is accepted, bare or wrapped in data', () => {
  const token = `aZ09-._~!#$%&'()*+/:<=>?@[]^\`{|}`;
  expect(tokenOf(token)).toBe(token);
  expect(v.parse(TokenSchema, { data: { token } }).token).toBe(token);
});
