import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const policyOf = ({ headers }: Answer): string => headers['content-security-policy'] ?? '';

const PATHS = [
  '/',
  '/payment',
  '/payment?orderId=1',
  '/order-success',
  '/product/p1',
  '/product/newer-than-the-build',
  '/nobody/knows',
  '/nobody',
  '/404',
  '/_astro/app.first.js',
  '/favicon.svg',
  '/robots.txt',
  '/sitemap.xml',
  '/build-info.json',
  '/sw.js',
  '/site.webmanifest',
  '/index.html',
  '/payment.html',
  '/products/p1',
  '/products/p1?from=card',
  '/payment/',
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

    test.each(['/_headers', '/_redirects'])('does not show %s', async (path) => {
      expect((await ask(server, path)).status).toBe(404);
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

describe('the policies', () => {
  test('[fault 87] only the payment page may post forms to other sites and show data: pictures', async () => {
    for (const path of ['/', '/product/p1', '/order-success', '/nobody', '/product/unknown']) {
      expect(policyOf(await ask(builtIn, path))).toMatch(/form-action 'self';/);
      expect(policyOf(await ask(builtIn, path))).toMatch(/img-src 'self' https:;/);
    }
    const payment = policyOf(await ask(builtIn, '/payment'));
    expect(payment).toMatch(/form-action 'self' https:;/);
    expect(payment).toMatch(/img-src 'self' https: data:;/);
  });

  test('name the inline scripts of their own page, and nothing unsafe', async () => {
    const contact = policyOf(await ask(builtIn, '/contact'));
    // echo -n 1 | openssl dgst -sha256 -binary | base64
    expect(contact).toContain("'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='");
    expect(policyOf(await ask(builtIn, '/'))).not.toContain('a4ayc');
    for (const path of PATHS) expect(policyOf(await ask(builtIn, path))).not.toMatch(/unsafe|\*/);
  });
});
