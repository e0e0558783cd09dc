import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchImage, imageSource, isInternal } from '#catalogue/images/fetch-image.ts';
import { listenLocally } from '#tests/support/free-port.ts';

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...['224.0.0.1', '::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '::7f00:1'],
  ...['64:ff9b:1::a00:1', 'fec0::1', '192.88.99.1'],
])('%s is internal', (address) => expect(isInternal(address)).toBe(true));

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isInternal(address)).toBe(false);
});

test('only the API may be on this machine, under any of its three names', () => {
  const api = 'http://127.0.0.1:40123';
  expect(imageSource('http://localhost:40123/images/a.webp?b', api)).toEqual({
    url: new URL('http://127.0.0.1:40123/images/a.webp?b'),
    trusted: true,
  });
  expect(imageSource('http://[::1]:8044/a.webp', api)).toMatchObject({ trusted: true });
  expect(imageSource('http://localhost:5432/a.webp', api).trusted).toBe(false);
  expect(imageSource('http://localhost:8044/a.webp', 'https://api.example').trusted).toBe(false);
  expect(imageSource('https://api.example/a.webp', 'https://api.example').trusted).toBe(true);
});

const server = createServer((request, response) => {
  const [, path] = (request.url ?? '').split('/');
  if (path === 'loop') response.writeHead(302, { Location: '/loop' }).end();
  else if (path === 'inside') response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  else if (path === 'file') response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
  else if (path === 'large') {
    const block = Buffer.alloc(1024 * 1024);
    const write = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  } else if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end();
  else response.writeHead(200, { ETag: '"a"' }).end('bytes');
});
let origin = '';

beforeAll(async () => {
  origin = await listenLocally(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a second request for a picture sends its validators', async () => {
  const first = await fetchImage(`${origin}/a.webp`, origin);
  expect(first).toMatchObject({ status: 'fetched', etag: '"a"' });
  expect(await fetchImage(`${origin}/a.webp`, origin, { etag: '"a"' })).toEqual({ status: 'unchanged' });
});

test.each([
  ['a stranger on this machine', () => `${origin}/a.webp`, 'https://api.example', /internal address/],
  [
    'a name that leads inside',
    () => `http://localhost:${new URL(origin).port}/a`,
    'https://api.example',
    /internal/,
  ],
  ['a redirect inside', () => `${origin}/inside`, '', /internal address/],
  ['a redirect to a file', () => `${origin}/file`, '', /leads to file:/],
  ['redirects without end', () => `${origin}/loop`, '', /one address to the next/],
  ['more than 30 MB', () => `${origin}/large`, '', /30 MB/],
] as const)('%s is refused', async (_name, address, api, message) => {
  await expect(fetchImage(address(), api || origin)).rejects.toThrow(message);
});
