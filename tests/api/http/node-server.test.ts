import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpServer, listen } from '#scripts/api/http/node-server.ts';

/** More than the buffers of both ends of a connection hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

async function serve(limits: Parameters<typeof createHttpServer>[1]) {
  const server = createHttpServer((_request, response) => void response.end(LARGE), limits);
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const count = () =>
    new Promise((resolve) => server.getConnections((_error, connections) => resolve(connections)));
  return { server, open, count };
}

it('[fault 130] an answer that nobody reads is closed', async () => {
  const { server, open, count } = await serve({ idle: 300 });
  const asked = new Promise((resolve) => server.once('request', resolve));
  // It asks, and reads nothing of the answer.
  open().pause().write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n');
  await asked;
  expect(await count()).toBe(1);
  await expect.poll(count).toBe(0);
});

it('[fault 130] a connection beyond the cap is closed at once', async () => {
  const { open, count } = await serve({ connections: 2 });
  const sockets = [open(), open(), open()];
  const closed = sockets.map(
    (socket) => new Promise((resolve) => socket.once('close', () => resolve(socket))),
  );
  sockets[2]?.resume();
  await Promise.race(closed);
  expect(await count()).toBe(2);
});

it('what was sent too slowly, or not at all, is closed', async () => {
  const { open, count } = await serve({ headers: 200 });
  open();
  open().write('GET / HTTP/1.1\r\nHost: ');
  await expect.poll(count).toBe(2);
  await expect.poll(count).toBe(0);
});

it('a request that was answered before its body was there is closed', async () => {
  const server = createHttpServer((_request, response) => void response.end('no'));
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: shop\r\nContent-Length: 60\r\n\r\n{');
  await new Promise((resolve) => socket.resume().once('close', resolve));
});

it('an address holds at most its share, and all of them together leave the proxies theirs', async () => {
  const { open, count } = await serve({
    connections: 3,
    connectionsOfAddress: 2,
    trustedProxies: ['127.0.0.1'],
  });
  for (const from of ['127.0.0.2', '127.0.0.2', '127.0.0.2']) open(from);
  await expect.poll(count).toBe(2);
  for (const from of ['127.0.0.3', '127.0.0.3', '127.0.0.4']) open(from);
  await expect.poll(count).toBe(3);
  const proxy = open();
  await new Promise((resolve) => proxy.once('connect', resolve));
  proxy.write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n');
  const answered = new Promise((resolve) => proxy.once('data', resolve));
  expect(String(await answered)).toContain('200 OK');
});
