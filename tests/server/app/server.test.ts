import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startApi } from '#server/app/start.ts';
import { urlOf } from '#server/http/node-server.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { ADDRESS, CATALOGUE, MANGO } from '#tests/server/support/api.ts';
import { emptyDatabase, storedDatabase } from '#tests/server/support/databases.ts';
import { startProcess } from '#tests/server/support/running-api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

const startShop = async (more: Parameters<typeof startApi>[0] = {}) =>
  startApi({ database: await emptyDatabase(), catalogue: CATALOGUE, ...more });

/** The token of a new customer who has signed in. */
const signIn = async (url: string): Promise<string> => (await createShopClient({ url }).newSignedIn()).token;

/** A POST of an order whose headers the server has read; its body is still to be sent. */
async function beginOrder(port: number, token: string): Promise<{ socket: Socket; body: string }> {
  const body = JSON.stringify({ products: { [MANGO]: 2 }, shippingAddress: ADDRESS });
  const socket = connect(port, '127.0.0.1');
  const head = [
    'POST /api/v1/orders HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return { socket, body };
}

/** Collects what a socket receives from now on. */
function received(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  return () => text;
}

it.each([
  [undefined, 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://127.0.0.1:80'],
  ['::1', 'http://[::1]:80'],
  ['2001:db8::7', 'http://[2001:db8::7]:80'],
  ['localhost', 'http://localhost:80'],
])('[spec 7.payments.4] the gateway reaches an API that listens on %s', (host, url) => {
  expect(urlOf(host, 80)).toBe(url);
  expect(URL.canParse(url)).toBe(true);
});

it('a client that hangs up in its body is a 400, not an unexpected error, and a taken port is an error', async () => {
  const lines: string[] = [];
  const api = await startShop({
    log: (_level, event, { status = '' } = {}) => lines.push(`${event} ${status}`.trim()),
  });
  const token = await signIn(api.url);
  lines.length = 0;
  const { socket } = await beginOrder(api.port, token);
  socket.write('{"email":', () => socket.destroy());
  await expect.poll(() => lines.join()).toContain('answered');
  expect(lines).toEqual(['answered 400']);
  const { port } = api;
  await expect(startShop({ port, host: '127.0.0.1' })).rejects.toThrow('is taken');
  await api.close();
});

it('a stalled body delays a stop for 5 s at most, and other requests are finished', async () => {
  const api = await startShop();
  const token = await signIn(api.url);
  const [stalled, sending] = [await beginOrder(api.port, token), await beginOrder(api.port, token)];
  stalled.socket.write(stalled.body.slice(0, 20));
  const [answer, refusal] = [received(sending.socket), received(stalled.socket)];
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = api.close();
  sending.socket.write(sending.body);
  while (!answer().includes('201 Created')) await vi.advanceTimersByTimeAsync(0);
  vi.advanceTimersByTime(5_000);
  await closed;
  // Without the limit, the server would wait 20 s for the body, and then answer that it took too long.
  expect(refusal()).toBe('');
});

it('a stop ends with the last response, even if a client sends more requests on its connection', async () => {
  const api = await startShop();
  const { socket, body } = await beginOrder(api.port, await signIn(api.url));
  socket.on('error', () => undefined);
  const answers = received(socket);
  socket.on('data', () => {
    if (answers().endsWith('}')) socket.write('GET /api/v1/products HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
  const disconnected = new Promise((resolve) => socket.once('close', resolve));
  const closed = api.close();
  socket.write(body);
  await Promise.all([closed, disconnected]);
  expect(answers().match(/HTTP\/1.1 \d+ \w+/g)).toEqual(['HTTP/1.1 201 Created']);
});

it('/readyz is a 503 when a stop begins, and requests are served until the delay is over', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stopping = { delay: 3_000, limit: 4_000 };
  const api = await startShop({ stopping });
  const statusOf = async (path: string) => (await fetch(api.url + path)).status;
  expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([200, 200]);
  const closed = api.close();
  const unready = await fetch(`${api.url}/readyz`);
  expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '1']);
  expect([await statusOf('/healthz'), await statusOf('/api/v1/products')]).toEqual([200, 200]);
  vi.advanceTimersByTime(stopping.delay);
  await closed;
  await expect(statusOf('/readyz')).rejects.toThrow('fetch failed');
});

describe('the server as a program', () => {
  const start = async (environment: Record<string, string> = {}) =>
    startProcess({ DATABASE: await storedDatabase(join(temporaryFolder(), 'shop.sqlite')), ...environment });

  it('SIGTERM finishes open requests and exits with 0', async () => {
    const { child, url, exited } = await start();
    const token = await signIn(url);
    const { socket, body } = await beginOrder(Number(new URL(url).port), token);
    child.kill('SIGTERM');
    await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'closed')).toBe('closed');
    const answer = received(socket);
    socket.write(body);
    expect((await exited)[0]).toBe(0);
    await expect.poll(answer).toContain('201 Created');
  });

  // tests/server/settings tests wrong settings.
  it('a missing catalogue ends it with one clear message', async () => {
    const { exited, output } = await start({ CATALOGUE: 'no/such/folder' });
    expect((await exited)[0]).toBe(1);
    expect(output()).toMatch(/^(?!.* {4}at ).*The catalogue in no\/such\/folder cannot be used/s);
  });
});
