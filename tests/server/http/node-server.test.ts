import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, it, onTestFinished, vi } from 'vitest';
import { answerTooMany } from '#server/app/start.ts';
import { createCallerOf } from '#server/http/caller.ts';
import { createHttpServer, listen } from '#server/http/node-server.ts';
import { readBytes, timeFor } from '#server/http/request-body.ts';
import { capConnections } from '#server/limits/connections.ts';
import { CONNECTIONS } from '#server/limits/table.ts';

/** More than the buffers of both ends of a connection hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

type Serving = Parameters<typeof createHttpServer>[1] & {
  readonly caps?: Partial<typeof CONNECTIONS>;
  readonly trustedProxies?: readonly string[];
};

async function serve(
  { caps, trustedProxies = [], ...times }: Serving,
  body: Buffer | string = LARGE,
  refuse: RequestListener = (_request, response) => void response.writeHead(429).end(),
) {
  const server = createHttpServer(
    (request, response) => (hasPlace(request) ? void response.end(body) : refuse(request, response)),
    times,
  );
  const hasPlace = capConnections(server, trustedProxies, { ...CONNECTIONS, ...caps });
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

it('closes a connection whose answer is not read', async () => {
  const { server, open, count } = await serve({ idle: 300 });
  const requested = once(server, 'request');
  // Sends a request and does not read the answer.
  open().pause().write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n');
  await requested;
  await expect.poll(count).toBe(0);
});

it('a connection beyond the cap is closed at once', async () => {
  const { open, count } = await serve({ caps: { all: 2 } });
  const sockets = [open(), open(), open()];
  sockets[2]?.resume();
  await Promise.race(sockets.map((socket) => once(socket, 'close')));
  expect(await count()).toBe(2);
});

it('a connection with a slow request, or none, is closed', async () => {
  const { server, open, count } = await serve({ headers: 200 });
  const opened = vi.fn();
  server.on('connection', opened);
  open();
  open().write('GET / HTTP/1.1\r\nHost: ');
  await expect.poll(() => opened.mock.calls.length).toBe(2);
  await expect.poll(count).toBe(0);
});

it('a request that was answered before its body was there is closed', async () => {
  const { open } = await serve({}, 'no');
  const socket = open();
  socket.write('GET / HTTP/1.1\r\nHost: shop\r\nContent-Length: 60\r\n\r\n{');
  await once(socket.resume(), 'close');
});

it('a line and a network hold at most their shares, and all together leave room for the proxies', async () => {
  const { open, count } = await serve({
    caps: { all: 5, line: 2, network: 4 },
    trustedProxies: ['127.0.0.1'],
  });
  for (const from of ['127.0.0.2', '127.0.0.2', '127.0.0.2']) open(from);
  await expect.poll(count).toBe(2);
  for (const from of ['127.0.0.3', '127.0.0.3', '127.0.0.4']) open(from);
  await expect.poll(count).toBe(4);
  for (const from of ['127.0.1.1', '127.0.2.1']) open(from);
  await expect.poll(count).toBe(5);
  expect(await ask(open(), '127.0.0.9')).toEqual(OK);
});

/** Sends a request for this caller. @returns what comes first of the answer */
async function ask(socket: Socket, caller: string, method = 'GET', more = ''): Promise<string> {
  socket.write(`${method} / HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: ${caller}\r\n${more}\r\n`);
  const [data] = await once(socket, 'data');
  return String(data).toLowerCase();
}

const [OK, TOO_MANY] = ['http/1.1 200', 'http/1.1 429'].map((start) => expect.stringContaining(start));

const FORWARDED = '192.0.2.1, 198.51.100.1';

it.each([
  [['10.0.0.0/8'], '10.20.30.40', '198.51.100.1'],
  [['10.0.0.0/8'], '::ffff:10.20.30.40', '198.51.100.1'],
  [['10.0.0.0/8'], '::ffff:a14:1e28', '198.51.100.1'],
  [['::ffff:10.0.0.1'], '10.0.0.1', '198.51.100.1'],
  [['10.0.0.0/8'], '11.0.0.1', '11.0.0.1'],
  [['10.0.0.0/8', '198.51.100.0/24'], '10.0.0.1', '192.0.2.1'],
  [['fd00::/8'], 'fd12:3456::1', '198.51.100.1'],
  [['::1'], '0:0:0:0:0:0:0:1', '198.51.100.1'],
  [['fd00::/8'], '2001:DB8:1:2345::1', '2001:0db8:0001:23/56'],
  [['fd00::/8'], '64:ff9b::c000:201', '192.0.2.1'],
  [['0.0.0.0/0'], 'unknown', '/56'],
  [[], '10.0.0.1', '10.0.0.1'],
])('behind the proxies %j the caller at %s has the line %s', async (proxies, remoteAddress, line) => {
  expect(await callerBehind(proxies, remoteAddress, FORWARDED)).toMatchObject({ line });
});

it.each(['198.51.100.1:4711', ' 198.51.100.1 ', '::ffff:198.51.100.1', '[::ffff:198.51.100.1]:80'])(
  'a proxy that writes %j names the same caller',
  async (written) => {
    const caller = await callerBehind(['10.0.0.1'], '10.0.0.1', `192.0.2.1,${written}`);
    expect(caller).toEqual({ line: '198.51.100.1', network: '198.51.100.0/24' });
  },
);

async function callerBehind(proxies: readonly string[], remoteAddress: string, forwardedFor: string) {
  const callerOf = createCallerOf(proxies);
  const app = new Hono().get('/', (context) => context.json(callerOf(context)));
  const answer = await app.request(
    '/',
    { headers: { 'X-Forwarded-For': forwardedFor } },
    { incoming: { socket: { remoteAddress } } },
  );
  return answer.json();
}

const request = (body: ReadableStream) =>
  new Request('http://shop', { method: 'POST', body, ...{ duplex: 'half' } });

it('a body that comes byte by byte is refused after its time limit', async () => {
  let isOpen = true;
  const drops = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (isOpen) controller.enqueue(new Uint8Array(1));
    },
  });
  await expect(readBytes(request(drops), 64 * 1_024, 100)).rejects.toMatchObject({ status: 408 });
  isOpen = false;
});

it('a body of 64 KB has ten seconds, and 32 MB of photos two minutes', () => {
  expect(timeFor(64 * 1_024)).toBeLessThan(11_000);
  expect(timeFor(32 * 1_024 * 1_024)).toBeGreaterThan(120_000);
});

it.each([
  ['a caller has at most a share of them', { line: 2 }, [1, 1, 1, 2], [OK, OK, TOO_MANY, OK]],
  [
    'what is refused to a line takes no place of its network',
    { line: 1, network: 3 },
    [1, 1, 1, 1, 2, 3],
    [OK, TOO_MANY, TOO_MANY, TOO_MANY, OK, OK],
  ],
])(
  'of the connections of the proxies, whose answers are unread, %s',
  async (_what, caps, lines, expected) => {
    const { open } = await serve({ caps, trustedProxies: ['127.0.0.1'] });
    const answers: string[] = [];
    for (const line of lines) {
      const socket = open();
      answers.push(await ask(socket, `127.0.0.1, 192.0.2.${line}`));
      socket.pause();
    }
    expect(answers).toEqual(expected);
  },
);

it('a page whose caller has too many connections can read the reason', async () => {
  const site = 'https://shop.example';
  const { open } = await serve(
    { caps: { line: 1 }, trustedProxies: ['127.0.0.1'] },
    LARGE,
    answerTooMany([site]),
  );
  const headers = `Origin: ${site}\r\nAccess-Control-Request-Method: POST\r\n`;
  open().pause().write('GET / HTTP/1.1\r\nHost: shop\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n');
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['POST', 429],
  ] as const) {
    const answer = await ask(open(), '192.0.2.1', method, headers);
    expect(answer).toContain(`http/1.1 ${status}`);
    expect(answer).toContain(`access-control-allow-origin: ${site}`);
  }
});

it('a connection of a proxy counts for its current caller', async () => {
  const { open } = await serve({ caps: { line: 1 }, trustedProxies: ['127.0.0.1'] }, 'yes');
  const [first, second] = [open(), open()];
  expect(await ask(first, '192.0.2.1')).toEqual(OK);
  expect(await ask(first, '192.0.2.2')).toEqual(OK);
  expect(await ask(second, '192.0.2.1')).toEqual(OK);
});

it('an answer that is read byte by byte is cut off', async () => {
  const { open, count } = await serve({ answer: 200 });
  const socket = open();
  socket.write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n');
  await once(socket, 'readable');
  const drops = setInterval(() => socket.read(1), 20);
  onTestFinished(() => clearInterval(drops));
  await expect.poll(count).toBe(0);
});
