import fc from 'fast-check';
import type { ApiRequest } from './good-requests.ts';
import { attack, type Change, jsonChange } from './values.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json; charset=latin1',
  'json',
];
const SEGMENTS = [
  '',
  '..',
  '%2e%2e',
  '%00',
  '%',
  'a'.repeat(5_000),
  '__proto__',
  '1;DROP TABLE orders',
  "' OR 1=1--",
  '💥',
  '%ff',
];
const QUERIES = [
  'limit=1e9',
  'limit=-1',
  'page=-1',
  'page=1e308',
  'page=NaN',
  'limit=0x10',
  'category=%00',
  'category[]=1',
  `q=${'x'.repeat(10_000)}`,
  '&&&===',
  'contactInfo=',
  '%',
  'category=__proto__',
  `filter=${'a,'.repeat(2_000)}`,
];
const keyName = fc.oneof(attack, fc.constantFrom('__proto__', 'constructor', '', 'id', 'price'));

/** Replaces one of the keys in the body. */
const changedKey = fc.tuple(fc.nat(50), keyName).map(
  ([place, name]): Change<string> =>
    (body) => {
      const keys = [...body.matchAll(/"([^"]+)":/g)].map(([whole]) => whole);
      return body.replace(keys[place % keys.length] ?? '"', () => `${JSON.stringify(name)}:`);
    },
);

const BROKEN: readonly Change<string>[] = [
  () => '',
  (body) => `${body}${body}`,
  (body) => `\uFEFF${body}`,
  () => `[${'['.repeat(20_000)}`,
  () => 'null',
  () => '"text"',
  () => '1e999',
  (body) => body.replace(/:\d+/g, ':1e999'),
  (body) => body.replace('{', '{"price":0,"status":3,"userId":"1","role":"admin",'),
  () => 'x'.repeat(70_000),
];

const cutAt = (length: number): Change<string> => {
  return (body) => body.slice(0, length);
};

const changedBody: fc.Arbitrary<Change<ApiRequest>> = fc
  .oneof(
    { weight: 3, arbitrary: jsonChange },
    changedKey,
    fc.constantFrom(...BROKEN),
    fc.nat(2_000).map(cutAt),
  )
  .map((change) => (request) => ({ ...request, body: change(request.body ?? '') }));

const headerName = fc.constantFrom(
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Forwarded-For',
  'Origin',
  'If-None-Match',
  'Cookie',
  'Content-Length',
  'Accept-Encoding',
);
const VALUES = ['', 'Bearer', 'Bearer x'.repeat(2_000), 'Basic eDp4', 'Bearer null', '1e9', '-1', ', ,', '*'];
const headerValue = fc
  .oneof(fc.constantFrom(...TYPES), fc.constantFrom(...VALUES), attack, fc.string({ maxLength: 300 }))
  .map((text) => text.replace(/[^\x20-\x7e]/g, '?'));

const segment = fc.oneof(fc.constantFrom(...SEGMENTS), fc.string().map(encodeURIComponent));

const changed = (change: Change<ApiRequest>): Change<ApiRequest> => change;

const changedHead: fc.Arbitrary<Change<ApiRequest>> = fc.oneof(
  fc.tuple(headerName, fc.option(headerValue)).map(([name, value]) =>
    changed((request) => {
      const { [name]: _, ...others } = request.headers;
      return { ...request, headers: value === null ? others : { ...others, [name]: value } };
    }),
  ),
  fc
    .tuple(fc.nat(2), segment)
    .map(([place, text]) =>
      changed((request) => ({ ...request, path: changePath(request.path, place, text) })),
    ),
  fc
    .constantFrom(...QUERIES)
    .map((query) => changed((request) => ({ ...request, path: `${request.path.split('?')[0]}?${query}` }))),
  fc.constantFrom(...METHODS).map((method) => changed((request) => ({ ...request, method }))),
);

/** Replaces a segment of the path. Place 0 is the first one after `/api/v1`. */
function changePath(path: string, place: number, text: string): string {
  const [plain = '', ...query] = path.split('?');
  const parts = plain.split('/');
  parts[3 + (place % Math.max(parts.length - 3, 1))] = text;
  return [parts.join('/'), ...query].join('?');
}

/** A good request with one or two changes. A counterexample shows the request as it was sent. */
export function changedRequest(good: readonly ApiRequest[]): fc.Arbitrary<ApiRequest> {
  const from = (requests: readonly ApiRequest[], change: fc.Arbitrary<Change<ApiRequest>>) =>
    fc
      .tuple(fc.constantFrom(...requests), fc.array(change, { minLength: 1, maxLength: 2 }))
      .map(([start, changes]) => changes.reduce((changed, next) => next(changed), start));
  const posts = good.filter(({ body }) => body !== undefined);
  const others = good.filter(({ body }) => body === undefined);
  return fc.oneof(from(posts, fc.oneof(changedBody, changedHead)), from(others, changedHead));
}
