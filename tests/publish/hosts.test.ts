import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, zstdDecompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dictionary, dictionaryOf } from '#scripts/serve/dictionary.ts';
import { askRaw } from './support/ask-raw.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { isInstalled, startBuiltIn, startCaddy, startNginx, type WebServer } from './support/web-servers.ts';

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
  'location',
];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Record<string, string | null>;
  readonly body: string;
}

async function ask(server: WebServer, path: string, encoding = 'identity'): Promise<Answer> {
  const response = await fetch(server.url + path, {
    redirect: 'manual',
    headers: { 'Accept-Encoding': encoding },
  });
  const headers = Object.fromEntries(COMPARED.map((name) => [name, response.headers.get(name)]));
  const location = response.headers.get('location');
  if (location) headers.location = location.replace(server.url, '');
  return {
    status: response.status,
    type: response.status === 301 ? '' : (response.headers.get('content-type') ?? '').toLowerCase(),
    headers,
    body: response.status === 301 ? '' : await response.text(),
  };
}

const PATHS = [
  '/',
  '/payment',
  '/order-success',
  '/product/p1',
  '/product/newer-than-the-build',
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

const servers = [
  ['nginx', startNginx, isInstalled('nginx', '-v')],
  ['Caddy', startCaddy, isInstalled('caddy', 'version')],
] as const;

for (const [name, , installed] of servers) {
  if (!installed) console.warn(`${name} is not installed: its generated configuration is not tested here.`);
}

let folder: string;
let builtIn: WebServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'publish-hosts-'));
  const shop = tinyShop(3);
  shop.extra = {
    'site.webmanifest': '{}',
    'sw.js': 'self.skipWaiting()',
    'contact.html': '<html><head><title>Contact</title></head><body><script>1</script></body></html>',
  };
  await publishTiny(folder, shop);
  builtIn = await startBuiltIn(folder, join(folder, 'current'));
});
afterAll(async () => {
  await builtIn.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(servers)('%s', (_name, start, installed) => {
  describe.skipIf(!installed)('as configured by the release', () => {
    let server: WebServer;
    beforeAll(async () => {
      server = await start(folder, join(folder, 'current'));
    });
    afterAll(() => server?.stop());

    test.each(PATHS)('[fault 87] answers %s as the built-in server does', async (path) => {
      expect(await ask(server, path)).toEqual(await ask(builtIn, path));
    });

    test('[fault 89] a missing asset is a 404 in plain text that nobody caches', async () => {
      const answer = await ask(server, '/_astro/gone.js');
      expect(answer.status).toBe(404);
      expect(answer.type).toContain('text/plain');
      expect(answer.body).not.toContain('<');
      expect(answer.headers['cache-control']).not.toContain('immutable');
    });

    test('[fault 88] an asset is cached for a year, and a page is revalidated by its ETag', async () => {
      expect((await ask(server, '/_astro/app.first.js')).headers['cache-control']).toBe(
        'public, max-age=31536000, immutable',
      );
      const first = await fetch(`${server.url}/product/p1`);
      const etag = first.headers.get('etag');
      expect(first.headers.get('cache-control')).toBe('no-cache');
      const again = await fetch(`${server.url}/product/p1`, { headers: { 'If-None-Match': `${etag}` } });
      expect(again.status).toBe(304);
    });

    test('sends the precompressed form', async () => {
      const response = await fetch(`${server.url}/product/p1`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(await response.text()).toContain('Mango 1');
    });

    test.each([
      '/_headers',
      '/_redirects',
      '//_headers',
      '/_headers/.',
      '/a/%2e%2e/_headers',
      '/%2f_headers',
      '/%5fheaders',
      '/_headers%00',
      '/\\_headers',
      '/product/p1.html.dcz/.',
      '/product//p1.html.dcz',
      '/product/./p1.html%2edcz',
    ])('shows nothing of its settings for %s', async (path) => {
      const headersFile = readFileSync(join(folder, 'current/site/_headers')).subarray(0, 40);
      for (const { url } of [server, builtIn]) {
        const { status, body } = await askRaw(url, {}, path);
        expect(status).not.toBe(200);
        expect(body.includes(headersFile)).toBe(false);
      }
    });

    test.each([
      '/products/..%2f..%2fevil',
      '/products/a%0d%0aX-Injected:1',
      '//evil.example/',
      '/\\evil.example/',
    ])('redirects nowhere for %s', async (path) => {
      const { status, headers } = await ask(server, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.location).toBeNull();
    });
  });
});

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

describe.each(servers)('pages that are compressed with a dictionary, by %s', (_name, start, installed) => {
  describe.skipIf(!installed)('of two releases', () => {
    let home: string;
    let server: WebServer;
    const site = (): string => join(home, 'current/site');
    const shop = tinyShop(3);
    const page = '/product/p1?from=card';
    const fileOfPage = (): Buffer => readFileSync(join(site(), 'product/p1.html'));
    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'publish-dictionary-'));
      await publishTiny(home, shop);
      server = await start(home, join(home, 'current'));
    });
    afterAll(async () => {
      await server?.stop();
      rmSync(home, { recursive: true, force: true });
    });

    test('a browser that holds the dictionary gets them, equal to the file and with their own ETag', async () => {
      const { dictionary } = dictionaryIn(site());
      const held = { 'Accept-Encoding': CHROMIUM_ACCEPTS, 'Available-Dictionary': dictionary.available };
      const short = await askRaw(server.url + page, held);
      expect(short.headers).toMatchObject({
        'content-encoding': 'dcz',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: BOTH,
      });
      expect(short.headers['content-security-policy']).toContain("default-src 'none'");
      expect((await decode(short.body, dictionary)).equals(fileOfPage())).toBe(true);
      const plain = await askRaw(server.url + page, {});
      const zipped = await askRaw(server.url + page, { 'Accept-Encoding': 'gzip' });
      expect([plain.headers.vary, zipped.headers.vary]).toEqual([BOTH, BOTH]);
      expect(new Set([short, plain, zipped].map(({ headers }) => headers.etag)).size).toBe(3);
      const again = await askRaw(server.url + page, { ...held, 'If-None-Match': `${short.headers.etag}` });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    });

    test('[fault 110] one that holds another dictionary, or refuses the encoding, gets the plain page', async () => {
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

    test('the dictionary is only for pages and cached for a year, and compressed files have no address', async () => {
      const { address, dictionary } = dictionaryIn(site());
      const answer = await askRaw(server.url + address, { 'Accept-Encoding': 'identity' });
      expect(answer.body.equals(dictionary.content)).toBe(true);
      expect(answer.headers).toMatchObject({
        'use-as-dictionary': 'match="/*", match-dest=("document" "")',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const short = await askRaw(server.url + address, { 'Accept-Encoding': CHROMIUM_ACCEPTS });
      expect(short.headers).toMatchObject({
        'content-encoding': 'br',
        'content-type': 'text/plain; charset=utf-8',
        'use-as-dictionary': answer.headers['use-as-dictionary'],
        'cache-control': answer.headers['cache-control'],
        vary: 'Accept-Encoding',
      });
      expect((await promisify(brotliDecompress)(short.body)).equals(dictionary.content)).toBe(true);
      expect((await askRaw(`${server.url}/_astro/dictionary.gone.txt`, {})).status).toBe(404);
      expect((await askRaw(`${server.url}/product/p1.html.dcz`, {})).status).toBe(404);
    });

    test('[fault 111] after a new release between dictionary and page, the page comes plain and the older dictionary stays', async () => {
      const older = dictionaryIn(site());
      shop.design = 'second';
      await publishTiny(home, shop);
      await server.reload();
      const newer = dictionaryIn(site());
      expect(newer.address).not.toBe(older.address);
      const ask = (available: string) =>
        askRaw(server.url + page, { 'Accept-Encoding': 'dcz', 'Available-Dictionary': available });
      // After a reload, older processes of nginx may still answer for a moment.
      await expect
        .poll(async () => (await ask(older.dictionary.available)).body.equals(fileOfPage()))
        .toBe(true);
      const isShort = async () => {
        const { body } = await ask(newer.dictionary.available);
        const { header } = newer.dictionary;
        return (
          body.subarray(0, header.length).equals(header) &&
          (await decode(body, newer.dictionary)).equals(fileOfPage())
        );
      };
      await expect.poll(isShort).toBe(true);
      for (const { address, dictionary } of [older, newer]) {
        expect((await askRaw(server.url + address, {})).body.equals(dictionary.content)).toBe(true);
      }
    });
  });
});
