import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { brotliDecompress, zstdDecompress } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Dictionary, dictionaryOf } from '#scripts/serve/dictionary.ts';
import { endOfGroup, temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import {
  fetchRaw,
  isInstalled,
  startBuiltIn,
  startCaddy,
  startNginx,
  type WebServer,
} from './support/web-servers.ts';

const COMPARED = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'permissions-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'cache-control',
];

async function fetchPage(server: WebServer, path: string) {
  const response = await fetch(server.url + path, {
    redirect: 'manual',
    headers: { 'Accept-Encoding': 'identity' },
  });
  const { status, headers } = response;
  const isRedirect = status === 301;
  return {
    status,
    type: isRedirect ? '' : (headers.get('content-type') ?? '').toLowerCase(),
    headers: Object.fromEntries(COMPARED.map((name) => [name, headers.get(name)])),
    location: headers.get('location')?.replace(server.url, ''),
    body: isRedirect ? '' : await response.text(),
  };
}

const PATHS = [
  '/',
  '/payment',
  '/order-success',
  '/product/p1',
  '/product/newer-than-the-build',
  '/product/old-1',
  '/nobody/knows',
  '/404',
  '/_astro/app.first.js',
  '/favicon.svg',
  '/sitemap.xml',
  '/build-info.json',
  '/sw.js',
  '/index.html',
  '/payment.html',
  '/products/p1?from=card',
  '/payment/?orderId=1',
  '/gone/',
];

const HIDDEN = [
  '/_headers',
  '/_redirects',
  '//_headers',
  '/_headers/.',
  '/a/%2e%2e/_headers',
  '/%2f_headers',
  '/%5fheaders',
  '/_headers%00',
  '/\\_headers',
  '/product/p1.html.dcz',
  '/product/p1.html.dcz/.',
  '/product//p1.html.dcz',
  '/product/./p1.html%2edcz',
];

const ELSEWHERE = [
  '/products/..%2f..%2fevil',
  '/products/a%0d%0aX-Injected:1',
  '//evil.example/',
  '/\\evil.example/',
];

/** The dictionary of a release, which build-info.json names. */
function dictionaryIn(site: string): { address: string; dictionary: Dictionary } {
  const { dictionary } = JSON.parse(readFileSync(join(site, 'build-info.json'), 'utf8'));
  return { address: dictionary, dictionary: dictionaryOf(readFileSync(join(site, dictionary))) };
}

const decode = (body: Buffer, { content, header }: Dictionary): Promise<Buffer> => {
  expect(body.subarray(0, 40)).toEqual(header);
  return promisify(zstdDecompress)(body.subarray(40), { dictionary: content });
};

const CHROMIUM_ACCEPTS = 'gzip, deflate, br, zstd, dcb, dcz';
const BOTH = 'Accept-Encoding, Available-Dictionary';

const servers = [
  ['nginx', startNginx, isInstalled('nginx', '-v')],
  ['Caddy', startCaddy, isInstalled('caddy', 'version')],
  ['the built-in server', startBuiltIn, true],
] as const;

describe.each(servers)('%s', (_name, start, installed) => {
  describe.skipIf(!installed)('as configured by the release', () => {
    const shop = tinyShop(3);
    const page = '/product/p1?from=card';
    let folder: string;
    let server: WebServer;
    let builtIn: WebServer;
    const site = (): string => join(folder, 'current/site');
    const fileOfPage = (): Buffer => readFileSync(join(site(), 'product/p1.html'));
    const atEnd = endOfGroup();
    beforeAll(async () => {
      folder = temporaryFolder(atEnd);
      shop.extra = {
        'products.html': '<html><head><title>Products</title></head><body></body></html>',
        'site.webmanifest': '{}',
        'sw.js': 'self.skipWaiting()',
        'contact.html': '<html><head><title>Contact</title></head><body><script>1</script></body></html>',
      };
      await publishTiny(folder, shop);
      server = await start(folder);
      atEnd(server.stop);
      builtIn = await startBuiltIn(folder);
      atEnd(builtIn.stop);
    });

    test.each(PATHS)('answers %s as the built-in server does', async (path) => {
      expect(await fetchPage(server, path)).toEqual(await fetchPage(builtIn, path));
    });

    test.each([
      ['/product/old.1?from=card', '/product/p1?from=card'],
      ['/products?category=Old+Fruit', '/products?category=ripe%20%26%20new'],
      ['/products?category=old%20fruit', '/products?category=ripe%20%26%20new'],
      ['/products?category=old%20fruits', undefined],
      ['/products?acategory=old%20fruit', undefined],
    ])('%s, an address that moved, leads to %s', async (path, target) => {
      const { status, location } = await fetchPage(server, path);
      expect([status, location]).toEqual([target === undefined ? 200 : 301, target]);
    });

    test.each([
      ['/payment?orderId=1?status=paid', '/payment?orderId=1?status=paid'],
      ['/payment', '/payment'],
      ['/order-success?a=1', '/order-success?a=1'],
    ])('a gateway that returns to %s by POST leads to the page', async (path, page) => {
      const back = await fetch(server.url + path, { method: 'POST', redirect: 'manual' });
      expect([back.status, back.headers.get('location')?.replace(server.url, '')]).toEqual([303, page]);
      const { status } = await fetch(`${server.url}/cart`, { method: 'POST', redirect: 'manual' });
      expect(status).toBeGreaterThanOrEqual(400);
    });

    test('a missing asset is a 404 in plain text that no cache stores', async () => {
      const answer = await fetchPage(server, '/_astro/gone.js');
      expect(answer.status).toBe(404);
      expect(answer.type).toContain('text/plain');
      expect(answer.body).not.toContain('<');
      expect(answer.headers['cache-control']).not.toContain('immutable');
    });

    test.each(HIDDEN)('shows nothing of its settings for %s', async (path) => {
      const headersFile = readFileSync(join(site(), '_headers')).subarray(0, 40);
      const { status, body } = await fetchRaw(server.url, {}, path);
      expect(status).not.toBe(200);
      expect(body.includes(headersFile)).toBe(false);
    });

    test.each(ELSEWHERE)('redirects nowhere for %s', async (path) => {
      const { status, location } = await fetchPage(server, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(location).toBeUndefined();
    });

    test('a browser that holds the dictionary gets pages that were compressed with it, each form with its own ETag', async () => {
      const { dictionary } = dictionaryIn(site());
      const held = { 'Accept-Encoding': CHROMIUM_ACCEPTS, 'Available-Dictionary': dictionary.available };
      const short = await fetchRaw(server.url + page, held);
      expect(short.headers).toMatchObject({
        'content-encoding': 'dcz',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: BOTH,
      });
      expect(short.headers['content-security-policy']).toContain("default-src 'none'");
      expect((await decode(short.body, dictionary)).equals(fileOfPage())).toBe(true);
      const plain = await fetchRaw(server.url + page, {});
      const zipped = await fetchRaw(server.url + page, { 'Accept-Encoding': 'gzip' });
      expect(zipped.headers['content-encoding']).toBe('gzip');
      expect([plain.headers.vary, zipped.headers.vary]).toEqual([BOTH, BOTH]);
      expect(new Set([short, plain, zipped].map(({ headers }) => headers.etag)).size).toBe(3);
      for (const [headers, { etag }] of [
        [held, short.headers],
        [{}, plain.headers],
      ] as const) {
        const again = await fetchRaw(server.url + page, { ...headers, 'If-None-Match': `${etag}` });
        expect([again.status, again.body.length]).toEqual([304, 0]);
      }
    });

    test('one that holds another dictionary, or refuses the encoding, gets the plain page', async () => {
      const { available } = dictionaryIn(site()).dictionary;
      for (const [encoding, held] of [
        [CHROMIUM_ACCEPTS, dictionaryOf(Buffer.from('another')).available],
        ['gzip, br, dcb, dczx', available],
        ['gzip, dcz;q=0', available],
      ] as const) {
        const response = await fetch(server.url + page, {
          headers: { 'Accept-Encoding': encoding, 'Available-Dictionary': held },
        });
        expect(response.headers.get('content-encoding')).not.toBe('dcz');
        expect(response.headers.get('vary')).toBe(BOTH);
        expect(Buffer.from(await response.arrayBuffer()).equals(fileOfPage())).toBe(true);
      }
    });

    test('the dictionary is only for pages and cached for a year', async () => {
      const { address, dictionary } = dictionaryIn(site());
      const common = {
        'use-as-dictionary': 'match="/*", match-dest=("document" "")',
        'cache-control': 'public, max-age=31536000, immutable',
      };
      const answer = await fetchRaw(server.url + address, { 'Accept-Encoding': 'identity' });
      expect(answer.body.equals(dictionary.content)).toBe(true);
      expect(answer.headers).toMatchObject(common);
      const short = await fetchRaw(server.url + address, { 'Accept-Encoding': CHROMIUM_ACCEPTS });
      expect(short.headers).toMatchObject({
        ...common,
        'content-encoding': 'br',
        'content-type': 'text/plain; charset=utf-8',
        vary: 'Accept-Encoding',
      });
      expect((await promisify(brotliDecompress)(short.body)).equals(dictionary.content)).toBe(true);
      expect((await fetchRaw(`${server.url}/_astro/dictionary.gone.txt`, {})).status).toBe(404);
    });

    test('after a new release between dictionary and page, the page comes plain and the older dictionary stays', async () => {
      const older = dictionaryIn(site());
      shop.design = 'second';
      await publishTiny(folder, shop);
      await server.reload();
      const newer = dictionaryIn(site());
      expect(newer.address).not.toBe(older.address);
      const fetchWith = async (available: string): Promise<Buffer> =>
        (await fetchRaw(server.url + page, { 'Accept-Encoding': 'dcz', 'Available-Dictionary': available }))
          .body;
      // After a reload, older processes of nginx may still answer for a moment.
      await expect
        .poll(async () => (await fetchWith(older.dictionary.available)).equals(fileOfPage()))
        .toBe(true);
      const { available, header } = newer.dictionary;
      await expect.poll(async () => (await fetchWith(available)).subarray(0, 40).equals(header)).toBe(true);
      expect((await decode(await fetchWith(available), newer.dictionary)).equals(fileOfPage())).toBe(true);
      for (const { address, dictionary } of [older, newer])
        expect((await fetchRaw(server.url + address, {})).body.equals(dictionary.content)).toBe(true);
    });
  });
});

const CLOUDFRONT = readFileSync('scripts/publish/hosts/examples/cloudfront-function.js', 'utf8');

type Answer = { uri?: string; statusCode?: number; headers?: { location: { value: string } } };

const answer = (uri: string, querystring: object = {}): Answer =>
  runInNewContext(
    `${CLOUDFRONT}; handler({ request: { uri: ${JSON.stringify(uri)}, querystring: query } })`,
    {
      query: querystring,
    },
  );

test.each([
  ['/', '/index.html'],
  ['/cart', '/cart.html'],
  ['/cart.html', '/cart.html'],
  ['/product/apple-1.5kg', '/product/apple-1.5kg.html'],
  ['/_astro/app.a1B2.js', '/_astro/app.a1B2.js'],
  ['/listing/all/1.json', '/listing/all/1.json'],
])('for the CloudFront function %s is the file %s', (address, file) => {
  expect(answer(address)).toMatchObject({ uri: file });
});

test.each([
  ['/products/apple-1.5kg/', '/product/apple-1.5kg'],
  ['/cart/', '/cart'],
])('the CloudFront function redirects %s to %s and keeps the query', (address, target) => {
  const query = { a: { value: '1' }, b: { value: '2', multiValue: [{ value: '2' }, { value: '' }] } };
  expect(answer(address, query)).toMatchObject({
    statusCode: 301,
    headers: { location: { value: `${target}?a=1&b=2&b` } },
  });
  expect(answer('//evil.example/').statusCode).toBeUndefined();
});
