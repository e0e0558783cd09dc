import * as v from 'valibot';
import { expect, test } from 'vitest';
import { TokenReader } from '#api/schema/account.ts';

const tokenOf = (token: unknown): string | undefined => {
  const parsed = v.safeParse(TokenReader, { token });
  return parsed.success ? parsed.output.token : undefined;
};

test.each<unknown>([
  ...['a; domain=evil.example', 'a;path=/x', 'a\r\nSet-Cookie: b=c', 'a\nb', 'a b', 'a\tb', 'a"b', 'a,b'],
  ...['a\\b', 'a\u0000b', 'ä', '🍊', '', 'x'.repeat(8_192), 7, true, null, {}, ['x'], { toString: 'x' }],
])('[fault 42] the token %j is none', (token) => {
  expect(tokenOf(token)).toBeUndefined();
});

test('[fault 42] a token of what a cookie can hold is taken as it is, bare or in data', () => {
  const token = `aZ09-._~!#$%&'()*+/:<=>?@[]^\`{|}`;
  expect(tokenOf(token)).toBe(token);
  expect(v.parse(TokenReader, { data: { token } }).token).toBe(token);
});
