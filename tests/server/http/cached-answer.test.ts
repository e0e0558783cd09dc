import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_CALLS } from '#server/app/calls.ts';
import { type RunningApi, startApi } from '#server/app/start.ts';
import { answerCompressed, answerOnce } from '#server/http/cached-answer.ts';
import { CATALOGUE, MANGO, testApi } from '#tests/server/support/api.ts';
import { emptyDatabase } from '#tests/server/support/databases.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

const ALL = 'gzip, deflate, br, zstd';

let api: RunningApi;
const now = Date.parse('2026-01-05T10:00:00Z');
beforeAll(async () => {
  api = await startApi({ database: await emptyDatabase(), catalogue: CATALOGUE, clock: () => now });
});
afterAll(() => api.close());

/** An answer as `fetch` decodes it. */
async function get(path: string, headers: Record<string, string>) {
  const answer = await fetch(`${api.url}/api/v1${path}`, { headers });
  const [encoding, etag] = [answer.headers.get('content-encoding'), answer.headers.get('etag')];
  return { status: answer.status, encoding, etag, text: await answer.text() };
}

describe.each(['/products?limit=100', '/products?category=berries', '/storeInfo'])('%s', (path) => {
  it.each([
    [ALL, 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
  ])('is the same content, compressed for a caller who accepts %s', async (accepted, encoding) => {
    const plain = await get(path, { 'Accept-Encoding': 'identity' });
    expect(plain).toMatchObject({ status: 200, encoding: null, etag: expect.stringMatching(/^"/) });
    const expected = { ...plain, encoding, etag: `W/${plain.etag}` };
    expect(await get(path, { 'Accept-Encoding': accepted })).toEqual(expected);
    expect(await get(path, { 'Accept-Encoding': accepted })).toEqual(expected);
  });

  it('is not sent again to a caller who has any form of it', async () => {
    for (const accepted of ['identity', ALL]) {
      const { etag } = await get(path, { 'Accept-Encoding': accepted });
      const again = await get(path, { 'Accept-Encoding': ALL, 'If-None-Match': etag ?? '' });
      expect(again).toEqual({ status: 304, encoding: null, etag: etag?.replace('W/', ''), text: '' });
    }
  });
});

it('compresses two answers at once, and sends the others of a flood as they are', async () => {
  const version = { etag: '"1"', compressed: new Map() };
  const app = new Hono().get('/:key', (context) =>
    answerCompressed(context, version, context.req.param('key'), () => '{}'),
  );
  const headers = { 'Accept-Encoding': ALL };
  const keys = Array.from({ length: 20 }, (_, key) => `/${key}`);
  const answers = await Promise.all(keys.map((path) => app.request(path, { headers })));
  const encodings = answers.map((answer) => answer.headers.get('content-encoding'));
  expect(encodings).toEqual(['br', 'br', ...Array(18).fill(null)]);
  const known = await Promise.all(keys.map(() => app.request('/0', { headers })));
  expect(known.every((answer) => answer.headers.get('content-encoding') === 'br')).toBe(true);
});

it('a full cache still has its answers when they are requested again', async () => {
  let made = 0;
  const version = { etag: '"1"', compressed: new Map() };
  const app = new Hono().get('/:key', (context) =>
    answerCompressed(context, version, context.req.param('key'), () => {
      made += 1;
      return '{}';
    }),
  );
  const keys = Array.from({ length: 200 }, (_, key) => `/${key}`);
  for (const path of [...keys, ...keys]) await app.request(path, { headers: { 'Accept-Encoding': ALL } });
  expect(made).toBe(keys.length);
});

it('personal data is never compressed', async () => {
  const { token } = await createShopClient(api).newSignedIn();
  const own = API_CALLS.filter(({ method, access }) => method === 'GET' && access === 'bearer');
  for (const path of [...own.map((call) => call.path), '/orders/x?contactInfo=y']) {
    const answer = await get(path, { 'Accept-Encoding': ALL, Authorization: `Bearer ${token}` });
    expect([path, answer.encoding]).toEqual([path, null]);
  }
});

it('an answer that never changes is built once, and not sent again to a caller that has it', async () => {
  let made = 0;
  const app = new Hono().get(
    '/',
    answerOnce(() => {
      made += 1;
      return '{}';
    }),
  );
  const first = await app.request('/');
  expect([await first.text(), first.status]).toEqual(['{}', 200]);
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
  expect((await app.request('/', { headers })).status).toBe(304);
  expect(made).toBe(1);
});

const byEncoding = 'Accept-Encoding, Origin';
const shared = 'public, max-age=0, s-maxage=30, stale-while-revalidate=30';

it.each([
  ['/products', byEncoding, shared],
  ['/products?page=2&category=berries', byEncoding, shared],
  ['/storeInfo', byEncoding, shared],
  ['/openapi.json', byEncoding, shared],
  ['/images/mango.webp', 'Origin', 'public, max-age=1800, s-maxage=30, stale-while-revalidate=1500'],
  [`/products/${MANGO}`, 'Origin', 'public, no-cache'],
])('%s: a 200 and a 304 vary by %s and say %s', async (path, vary, expected) => {
  const { ask } = await testApi();
  const { status, headers } = await ask(path);
  const again = await ask(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  expect([status, again.status]).toEqual([200, 304]);
  for (const each of [headers, again.headers]) {
    expect([each.get('cache-control'), each.get('vary')]).toEqual([expected, vary]);
  }
});

const files = ['unknown.webp', '..%2fstore.json', 'README.md', '%2e%2e%2fREADME.md', '.webp'];
const unknown = ['/products/unknown', '/unknown', ...files.map((name) => `/images/${name}`)];

it.each(unknown)('%s is a 404 that is not stored', async (path) => {
  const { status, headers } = await (await testApi()).ask(path);
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
});
