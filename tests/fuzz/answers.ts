import type { Random } from './random.ts';
import { ATTACKS, changeAt, MISSING, type Path, pathsOf, VALUE_CHANGES } from './values.ts';

/** An answer of the API as it goes over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** What becomes of the connection instead of an answer. */
  readonly instead?: 'reset' | 'hang' | 'cut';
}

/** One change of the answers to one call: as a whole, or at one place of their JSON. */
export interface Mutation {
  readonly call: string;
  readonly change: string;
  readonly path?: Path;
}

const JSON_TYPE = 'application/json';
const json = (status: number, value: unknown, headers = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: Buffer.from(JSON.stringify(value) ?? ''),
});
const refused = (status: number, error: unknown, headers = {}): Answer => json(status, { error }, headers);
const HTML = '<!doctype html><title>Sign in to the Wi-Fi</title><script>pwned()</script><h1>Hotel</h1>';

const withBody = (answer: Answer, body: Buffer): Answer => ({ ...answer, body });
const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const STATUSES = [400, 401, 403, 404, 408, 409, 410, 413, 415, 418, 422, 429, 500, 501, 502, 503, 504, 520];
const RETRY_AFTER = ['86400', '-1', '0', 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon', '1e9', ''];
const TOP_LEVEL: readonly unknown[] = [
  null,
  0,
  true,
  '',
  'x',
  [],
  {},
  [[]],
  { data: null },
  { data: [] },
  { data: 1 },
];

type Change = (answer: Answer) => Answer;
const named = <Value>(name: string, values: readonly Value[], make: (value: Value) => Change) =>
  Object.fromEntries(values.map((value, index) => [`${name} ${index}`, make(value)]));

const ANSWER_CHANGES: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(STATUSES.map((status) => [`status ${status}`, () => refused(status, 'Refused')])),
  ...Object.fromEntries(
    [400, 404, 500, 503].map((status) => [
      `status ${status}, real body`,
      (answer: Answer) => ({ ...answer, status }),
    ]),
  ),
  ...named('retry-after', RETRY_AFTER, (value) => () => refused(429, 'Wait', { 'Retry-After': value })),
  ...named('busy, retry-after', RETRY_AFTER, (value) => () => refused(503, 'Busy', { 'Retry-After': value })),
  ...named('attack in error', ATTACKS, (attack) => () => refused(422, attack)),
  ...named('top level', TOP_LEVEL, (value) => () => json(200, value)),
  'error as object': () => refused(422, { message: 'x' }),
  'error as list': () => refused(400, ['x']),
  'error missing': () => json(400, {}),
  'error null': () => refused(400, null),
  'error huge': () => refused(400, 'x'.repeat(5_000_000)),
  'error with target': () => json(422, { error: 'x', code: '__proto__', target: '__proto__', message: 1 }),
  'error is HTML': () => ({ status: 502, headers: { 'Content-Type': 'text/html' }, body: Buffer.from(HTML) }),
  'captive portal': () => ({
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    body: Buffer.from(HTML),
  }),
  'no content': () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
  'empty body': (answer) => withBody(answer, Buffer.alloc(0)),
  'no type': ({ status, body }) => ({ status, headers: {}, body }),
  'plain text': (answer) => withHeaders(answer, { 'Content-Type': 'text/plain' }),
  'html type': (answer) => withHeaders(answer, { 'Content-Type': 'text/html' }),
  'problem type': (answer) => withHeaders(answer, { 'Content-Type': 'application/problem+json' }),
  'half of it': (answer) => withBody(answer, answer.body.subarray(0, answer.body.length / 2)),
  'all but the end': (answer) => withBody(answer, answer.body.subarray(0, -1)),
  'two of it': (answer) => withBody(answer, Buffer.concat([answer.body, answer.body])),
  'byte order mark': (answer) => withBody(answer, Buffer.concat([Buffer.from('\uFEFF'), answer.body])),
  'UTF-16': (answer) => withBody(answer, Buffer.from(`\uFEFF${answer.body.toString()}`, 'utf16le')),
  'broken UTF-8': (answer) =>
    withBody(answer, Buffer.from(answer.body.map((byte, index) => (index % 17 === 16 ? 0xc3 : byte)))),
  'says gzip': (answer) => withHeaders(answer, { 'Content-Encoding': 'gzip' }),
  'says chunked text': (answer) =>
    withBody(answer, Buffer.from(`7\r\n${answer.body.toString()}\r\n0\r\n\r\n`)),
  'JSON in JSON': (answer) => withBody(answer, Buffer.from(JSON.stringify(answer.body.toString()))),
  'not a number': (answer) => withBody(answer, Buffer.from(answer.body.toString().replace(/:\d+/, ':NaN'))),
  'number overflows': (answer) =>
    withBody(answer, Buffer.from(answer.body.toString().replace(/:\d+/g, ':1e999'))),
  'double keys': (answer) =>
    withBody(answer, Buffer.from(answer.body.toString().replace('{', '{"id":7,"id":null,'))),
  'wrapped once more': (answer) =>
    withBody(answer, Buffer.concat([Buffer.from('{"data":'), answer.body, Buffer.from('}')])),
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

const ANSWER_CHANGE_NAMES = Object.keys(ANSWER_CHANGES);
const VALUE_CHANGE_NAMES = Object.keys(VALUE_CHANGES);
/** One in so many changes the answer as a whole. */
const WHOLE = 0.3;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

export function applyMutation(answer: Answer, { change, path }: Mutation): Answer {
  if (!path) return ANSWER_CHANGES[change]?.(answer) ?? answer;
  const value = parsed(answer.body);
  const replace = VALUE_CHANGES[change];
  if (value === undefined || !replace) return answer;
  const changed = changeAt(value, path, replace);
  return withBody(answer, Buffer.from(changed === MISSING ? '' : (JSON.stringify(changed) ?? '')));
}

/** A change of the answer to a call that is known to bring this body. */
export function chooseMutation(random: Random, call: string, body: Buffer): Mutation {
  const value = parsed(body);
  if (value === undefined || random.chance(WHOLE)) return { call, change: random.pick(ANSWER_CHANGE_NAMES) };
  return { call, change: random.pick(VALUE_CHANGE_NAMES), path: random.pick(pathsOf(value)) };
}

export const describeMutation = ({ call, change, path }: Mutation): string =>
  `${call}: ${change}${path ? ` at ${path.length === 0 ? 'the top' : path.join('.')}` : ''}`;
