import fc from 'fast-check';
import { attack, type Change, described, jsonChange, oddValue } from './values.ts';

/** An answer of the API as it goes over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** What happens to the connection instead of a whole answer. */
  readonly instead?: 'reset' | 'hang' | 'cut';
}

const json = (status: number, value: unknown, headers = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value) ?? ''),
});
const html = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: Buffer.from(
    '<!doctype html><title>Sign in to the Wi-Fi</title><script>pwned()</script><h1>Hotel</h1>',
  ),
});
const withBody = (answer: Answer, body: Buffer | string): Answer => ({ ...answer, body: Buffer.from(body) });
const withText = (answer: Answer, change: Change<string>): Answer =>
  withBody(answer, change(answer.body.toString()));
const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const STATUSES = [400, 401, 403, 404, 408, 409, 410, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504, 520];
const RETRY_AFTER = ['86400', '-1', '0', 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon', '1e9', ''];

/** What proxies, broken servers and broken connections make of an answer. */
const BROKEN: Readonly<Record<string, Change<Answer>>> = {
  'error huge': () => json(400, { error: 'x'.repeat(5_000_000) }),
  'error with target': () => json(422, { error: 'x', code: '__proto__', target: '__proto__', message: 1 }),
  'error is HTML': () => html(502),
  'captive portal': () => html(200),
  'no content': () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
  'empty body': (answer) => withBody(answer, ''),
  'no type': ({ status, body }) => ({ status, headers: {}, body }),
  'plain text': (answer) => withHeaders(answer, { 'Content-Type': 'text/plain' }),
  'html type': (answer) => withHeaders(answer, { 'Content-Type': 'text/html' }),
  'problem type': (answer) => withHeaders(answer, { 'Content-Type': 'application/problem+json' }),
  'half of it': (answer) => withBody(answer, answer.body.subarray(0, answer.body.length / 2)),
  'all but the end': (answer) => withBody(answer, answer.body.subarray(0, -1)),
  'two of it': (answer) => withText(answer, (text) => text + text),
  'byte order mark': (answer) => withText(answer, (text) => `\uFEFF${text}`),
  'UTF-16': (answer) => withBody(answer, Buffer.from(`\uFEFF${answer.body.toString()}`, 'utf16le')),
  'broken UTF-8': (answer) =>
    withBody(answer, Buffer.from(answer.body.map((byte, index) => (index % 17 === 16 ? 0xc3 : byte)))),
  'says gzip': (answer) => withHeaders(answer, { 'Content-Encoding': 'gzip' }),
  'says chunked text': (answer) => withText(answer, (text) => `7\r\n${text}\r\n0\r\n\r\n`),
  'JSON in JSON': (answer) => withText(answer, (text) => JSON.stringify(text)),
  'not a number': (answer) => withText(answer, (text) => text.replace(/:\d+/, ':NaN')),
  'number overflows': (answer) => withText(answer, (text) => text.replace(/:\d+/g, ':1e999')),
  'double keys': (answer) => withText(answer, (text) => text.replace('{', '{"id":7,"id":null,')),
  'wrapped once more': (answer) => withText(answer, (text) => `{"data":${text}}`),
  'redirect away': () => ({
    status: 302,
    headers: { Location: 'https://evil.example/' },
    body: Buffer.alloc(0),
  }),
  'redirect to itself': () => ({ status: 307, headers: { Location: '' }, body: Buffer.alloc(0) }),
  'no permission by CORS': (answer) =>
    withHeaders(answer, { 'Access-Control-Allow-Origin': 'https://evil.example' }),
  'sets cookies': (answer) =>
    withHeaders(answer, {
      'Set-Cookie': 'auth_token=stolen; Path=/',
      Refresh: '0; url=https://evil.example/',
    }),
  reset: (answer) => ({ ...answer, instead: 'reset' }),
  hang: (answer) => ({ ...answer, instead: 'hang' }),
  'cut in the middle': (answer) => ({ ...answer, instead: 'cut' }),
};

const status = fc.constantFrom(...STATUSES);
const retryAfter = fc.constantFrom(...RETRY_AFTER);

/** Changes an answer as a whole. */
const wholeChange: fc.Arbitrary<Change<Answer>> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...Object.entries(BROKEN)).map(([name, change]) => described(name, change)),
  },
  fc
    .tuple(status, fc.oneof(attack, oddValue))
    .map(([code, error]) =>
      described(`${code} with the error ${fc.stringify(error)}`, () => json(code, { error })),
    ),
  fc
    .tuple(fc.constantFrom(429, 503), retryAfter)
    .map(([code, value]) =>
      described(`${code} with Retry-After ${value}`, () =>
        json(code, { error: 'Wait' }, { 'Retry-After': value }),
      ),
    ),
  status.map((code) =>
    described(`${code} with the real body`, (answer: Answer) => ({ ...answer, status: code })),
  ),
  oddValue.map((value) => described(`200 with ${fc.stringify(value)}`, () => json(200, value))),
);

/** Changes an answer as a whole, or its JSON at one place. */
export const answerChange: fc.Arbitrary<Change<Answer>> = fc.oneof(
  { weight: 3, arbitrary: wholeChange },
  {
    weight: 7,
    arbitrary: jsonChange.map((change) =>
      described(fc.stringify(change), (answer: Answer) => withText(answer, change)),
    ),
  },
);
