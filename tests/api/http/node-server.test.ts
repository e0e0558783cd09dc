import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpServer, listen } from '#scripts/api/http/node-server.ts';

/** More than the buffers of both ends of a connection hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

async function serve(limits: Parameters<typeof createHttpServer>[1]) {
  const server = createHttpServer((_request, response) => void response.end(LARGE), limits);
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
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
