import fc from 'fast-check';
import { changeAt, isObject, MISSING, nested, pathsOf } from '#tests/support/json-places.ts';
import type { ApiRequest } from './good-requests.ts';

type Change<Sent> = (sent: Sent) => Sent;

/** Values that parsers are known to stumble over. fast-check makes up the rest. */
const ODD: readonly unknown[] = [
  ...[null, 0, -1, 1.5, 1e308, 2 ** 53, 0.000_000_1, '', ' \t\n ', '12.5', [], {}, [null, null]],
  ...['\u0000\u0007\u001b[31m\uFEFF', '\ud83c mango \udf4a', '\u202egnirts siht', '2026-13-45T99:99:99Z'],
  ...['^(a+)+$', '../../etc/passwd', '__proto__', 'javascript:pwned()', '<script>pwned()</script>'],
  ...['long '.repeat(20_000), '👩‍👩‍👧‍👦🍊'.repeat(50), `e${'\u0301'.repeat(2_000)}`, nested(400)],
  Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`key${key}`, key])),
];

const POLLUTED =
  '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"length":1e9';
const polluted = (value: unknown): unknown =>
  JSON.parse(JSON.stringify({ ...(isObject(value) ? value : {}), own: 0 }).replace('"own":0', POLLUTED));

const valueChange: fc.Arbitrary<Change<unknown>> = fc.oneof(
  fc
    .oneof(fc.constantFrom(...ODD), fc.jsonValue(), fc.string({ unit: 'binary' }))
    .map((value) => () => value),
  fc.constantFrom<Change<unknown>>(
    () => MISSING,
    (value) => String(value),
    (value) => [value],
    (value) => Array.from({ length: 2_000 }, () => (Array.isArray(value) ? value[0] : value)),
    (value) => (Array.isArray(value) ? [...value, ...value] : value),
    polluted,
  ),
);

const bodyChange: fc.Arbitrary<Change<string>> = fc.oneof(
  {
    weight: 3,
    // At one place of the JSON.
    arbitrary: fc.tuple(fc.nat(10_000), valueChange).map(([place, change]) => (text: string) => {
      const value: unknown = JSON.parse(text);
      const paths = pathsOf(value);
      const changed = changeAt(value, paths[place % paths.length] ?? [], change);
      return changed === MISSING ? '' : (JSON.stringify(changed) ?? '');
    }),
  },
  fc
    .tuple(fc.nat(50), fc.constantFrom('__proto__', 'constructor', '', 'id', 'price'))
    .map(([place, name]) => (body: string) => {
      const keys = [...body.matchAll(/"([^"]+)":/g)].map(([whole]) => whole);
      return body.replace(keys[place % keys.length] ?? '"', () => `${JSON.stringify(name)}:`);
    }),
  fc.nat(2_000).map((length) => (body: string) => body.slice(0, length)),
  fc.constantFrom<Change<string>>(
    (body) => `${body}${body}`,
    (body) => `\uFEFF${body}`,
    () => `[${'['.repeat(20_000)}`,
    (body) => body.replace(/:\d+/g, ':1e999'),
    (body) => body.replace('{', '{"price":0,"status":3,"userId":"1","role":"admin",'),
    () => 'x'.repeat(70_000),
  ),
);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const HEADERS = 'Authorization Content-Type Idempotency-Key X-Forwarded-For If-None-Match Cookie'.split(' ');
const JSON_IN_LATIN = 'application/json; charset=latin1';
const HEADER_VALUES = ['', 'text/plain', 'multipart/form-data', JSON_IN_LATIN, 'Bearer null'];
const SEGMENTS = ['', '..', '%2e%2e', '%00', '%', '%ff', 'a'.repeat(5_000), '__proto__', "' OR 1=1--"];
const QUERIES = [
  ...['limit=1e9', 'limit=-1', 'page=1e308', 'page=NaN', 'category=%00', 'category[]=1', '&&&===', '%'],
  ...['contactInfo=', 'category=__proto__', `q=${'x'.repeat(10_000)}`, `filter=${'a,'.repeat(2_000)}`],
];

/** Replaces a segment of the path. Place 0 is the first one after `/api/v1`. */
function changePath(path: string, place: number, text: string): string {
  const [plain = '', ...query] = path.split('?');
  const parts = plain.split('/');
  parts[3 + (place % Math.max(parts.length - 3, 1))] = text;
  return [parts.join('/'), ...query].join('?');
}

const headerValue = fc
  .oneof(fc.constantFrom(...HEADER_VALUES), fc.string({ maxLength: 300 }))
  .map((text) => text.replace(/[^\x20-\x7e]/g, '?'));
const segment = fc.oneof(fc.constantFrom(...SEGMENTS), fc.string().map(encodeURIComponent));

/** The changed parts of a request. */
const partsChange: fc.Arbitrary<(request: ApiRequest) => Partial<ApiRequest>> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...HEADERS), fc.option(headerValue))
    .map(([name, value]) => ({ headers: { [name]: _, ...others } }: ApiRequest) => ({
      headers: value === null ? others : { ...others, [name]: value },
    })),
  fc.tuple(fc.nat(2), segment).map(([place, text]) => ({ path }: ApiRequest) => ({
    path: changePath(path, place, text),
  })),
  fc.constantFrom(...QUERIES).map((query) => ({ path }: ApiRequest) => ({
    path: `${path.split('?')[0]}?${query}`,
  })),
  fc.constantFrom(...METHODS).map((method) => () => ({ method })),
);
const headChange = partsChange.map(
  (change): Change<ApiRequest> =>
    (request) => ({ ...request, ...change(request) }),
);

/** A good request with one or two changes. A counterexample shows the request as it was sent. */
export const changedRequest = (good: readonly ApiRequest[]): fc.Arbitrary<ApiRequest> =>
  fc.constantFrom(...good).chain((request) => {
    const { body } = request;
    const first =
      body === undefined
        ? headChange.map((change) => change(request))
        : bodyChange.map((change) => ({ ...request, body: change(body) }));
    return fc.tuple(first, fc.option(headChange)).map(([changed, second]) => second?.(changed) ?? changed);
  });
