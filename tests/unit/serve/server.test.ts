import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveSite } from '#scripts/serve/server.ts';
import { temporaryFolder, writeFiles } from '#tests/publish/support/temporary-folder.ts';

const directory = join(temporaryFolder(afterAll), 'dist');
writeFiles(directory, {
  '../secret.txt': 'secret',
  'index.html': '<h1>Home</h1>',
  '404.html': '<h1>Not here</h1>',
  'products.html': `<h1>Products</h1>${'x'.repeat(2000)}`,
  'product/a1.html': '<h1>A1</h1>',
  'docs/index.html': '<h1>Docs</h1>',
  '_astro/app.123.js': 'export const a = 1;',
  'ready.css': 'plain',
  'ready.css.br': 'precompressed',
  _headers:
    '/*\n  X-Frame-Options: DENY\n/_astro/*\n  Cache-Control: public, max-age=31536000, immutable\n/payment\n  X-Other: a: b\n  X-Frame-Options: twice\n',
  _redirects: '/products/:id /product/:id 301\n',
  'payment.html': '<h1>Payment</h1>',
});

let server: Awaited<ReturnType<typeof serveSite>>;
beforeAll(async () => {
  server = await serveSite({ directory, host: '127.0.0.1' });
});
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual', ...init });

/** Sends the path unchanged, which `fetch` would normalise. */
async function getRaw(path: string) {
  const sent = request({ host: '127.0.0.1', port: server.port, path }).end();
  const response: IncomingMessage = (await once(sent, 'response'))[0];
  const { statusCode: status, headers } = response;
  return { status, headers, text: await text(response), location: headers.location };
}

describe('finding a file', () => {
  test.each([
    ...['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/product/..%5c..%5csecret.txt'],
    ...['/%00', '/%zz', '/_headers', '/_redirects', '//_headers', '//payment', '/%2f_headers'],
    ...['/%5fheaders', '/product//..//_headers'],
  ])('%s does not leave the site', async (path) => {
    const { status, text } = await getRaw(path);
    expect([status, text]).toEqual([404, '<h1>Not here</h1>']);
  });

  test('only GET and HEAD are allowed', async () => {
    const response = await get('/', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await get('/products', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

test('an unchanged page is not sent again', async () => {
  const headers = { 'If-None-Match': (await get('/products')).headers.get('etag') ?? '' };
  expect((await get('/products', { headers })).status).toBe(304);
  writeFiles(directory, { 'products.html': '<h1>Products</h1>changed' });
  const changed = await get('/products', { headers });
  expect([changed.status, await changed.text()]).toEqual([200, '<h1>Products</h1>changed']);
});

test('a precompressed file is sent as it is', async () => {
  const { headers } = await get('/ready.css', { headers: { 'Accept-Encoding': 'br' } });
  expect(headers.get('content-length')).toBe(String('precompressed'.length));
});

describe('_headers and _redirects', () => {
  test('all matching rules of _headers apply', async () => {
    expect((await get('/products')).headers.get('x-frame-options')).toBe('DENY');
    const { headers } = await get('/payment');
    expect([headers.get('x-frame-options'), headers.get('x-other')]).toEqual(['DENY, twice', 'a: b']);
  });

  test.each(['/%70ayment', '/payment.html'])('%s shows the payment page with its headers', async (path) => {
    const { text, headers } = await getRaw(path);
    expect(text).toContain('Payment');
    expect(headers['x-other']).toBe('a: b');
  });

  test('a new build has its own rules, even if its folder has the old inode number', async () => {
    const folder = join(temporaryFolder(), 'dist');
    const build = (value: string): void => {
      rmSync(folder, { recursive: true, force: true });
      writeFiles(folder, { 'index.html': value, _headers: `/*\n  X-Build: ${value}\n` });
    };
    build('one');
    const own = await serveSite({ directory: folder, host: '127.0.0.1' });
    for (const value of ['one', 'two', 'three']) {
      build(value);
      const response = await fetch(own.url);
      expect([await response.text(), response.headers.get('x-build')]).toEqual([value, value]);
    }
    await own.close();
  });

  test('[spec 2.routes.5] /products/{id} redirects to /product/{id}', async () => {
    const response = await get('/products/a1?x=1');
    expect([response.status, response.headers.get('location')]).toEqual([301, '/product/a1?x=1']);
  });
});
