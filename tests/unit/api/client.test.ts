import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import { apiBase } from '#api/addresses.ts';
import { fetchPublic } from '#api/client.ts';
import { createOrder } from '#api/create-order.ts';
import { sendEarly } from '#api/early-requests.ts';
import { fetchOrders, fetchTrackedOrder } from '#api/orders.ts';
import { submitPayment } from '#api/payments.ts';
import { listingRequest, productPageRequest, productRequest } from '#api/requests.ts';
import { register } from '#api/users.ts';
import { ALL_PRODUCTS } from '#domain/listing.ts';
import { EMPTY_ADDRESS } from '#domain/shipping-address.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { cartLine } from '#tests/support/samples.ts';

type SentRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Handler = (response: ServerResponse, request: SentRequest) => void;

/** A real server on loopback whose responses each test sets. Only the browser's cookie jar is faked. */
let server: Server;
let answer: Handler;
let sent: SentRequest[];
let cookies: string;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Handler => {
  return (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
};

beforeEach(async () => {
  // A retry waits for a random part of its delay. Here it does not wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  sent = [];
  cookies = '';
  answer = json({});
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: await text(request) };
    sent.push(call);
    answer(response, call);
  });
  vi.stubEnv('PUBLIC_API_HOST', await listenLocally(server));
  vi.stubGlobal('location', { hostname: 'shop.example', protocol: 'https:' });
  vi.stubGlobal('document', {
    get cookie() {
      return cookies;
    },
    set cookie(line: string) {
      const expires = /expires=([^;]+)/i.exec(line)?.[1];
      const isOver = expires !== undefined && Date.parse(expires) < Date.now();
      cookies = isOver ? '' : (line.split(';')[0] ?? '');
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Without this the code runs as in a build. */
function openPage(): void {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
}

/** The clock of `setTimeout` for ky, and for AbortSignal.timeout, which vitest's clock does not drive. */
function useFakeClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    return controller.signal;
  });
}

/** Drops packets: no request ever ends by itself. */
function dropPackets(): Mock<typeof fetch> {
  const dropped = vi.fn<typeof fetch>(
    (input, init) =>
      new Promise((_, reject) => {
        const { signal } = new Request(input, init);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  vi.stubGlobal('fetch', dropped);
  return dropped;
}

const query = (call: SentRequest | undefined): Record<string, string> =>
  Object.fromEntries(new URL(call?.url ?? '', 'http://api').searchParams);

it('[spec 7.base.1] [spec 9.local.1] the base address is the local API on a page of localhost', () => {
  expect(apiBase('localhost')).toBe('http://localhost:8044/api/v1');
});

it('[spec 7.base.2] the base address is the configured host elsewhere, without a double slash', () => {
  vi.stubEnv('PUBLIC_API_HOST', 'https://api.example/');
  expect(apiBase('shop.example')).toBe('https://api.example/api/v1');
});

it('[spec 7.base.4] [spec 7.base.5] [spec 7.base.6] [spec 6.roles.4] a request carries credentials, and a bearer token if there is a cookie, and does not set the Host header', async () => {
  const fetching = vi.spyOn(globalThis, 'fetch');
  await fetchOrders();
  cookies = 'auth_token=abc123';
  await fetchOrders();
  expect(sent.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer abc123']);
  expect(`http://${sent[0]?.headers.host}`).toBe(import.meta.env.PUBLIC_API_HOST);
  const [input, init] = fetching.mock.calls[0] ?? [];
  expect(input instanceof Request ? input.credentials : init?.credentials).toBe('include');
});

it('[spec 7.base.3] [spec 3.payment.1] a request sends JSON bodies', async () => {
  await submitPayment('order-1', { method: 'UPI QR' });
  expect(sent[0]?.headers['content-type']).toContain('application/json');
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ fields: { method: 'UPI QR' }, orderId: 'order-1' });
});

it.each([
  ['[spec 7.products.1] a listing requests 12', listingRequest(ALL_PRODUCTS), '12'],
  ['[spec 7.products.8] [spec 9.limits.1] the lookup requests 100', productPageRequest(1), '100'],
])('a request %s', async (_, request, limit) => {
  await fetchPublic(request);
  expect(query(sent[0])).toEqual({ page: '1', limit });
});

it('[spec 7.orders.2] a request sends contactInfo in the query and the id in the path', async () => {
  await fetchTrackedOrder('a/b', 'meera+1@example.in');
  expect(sent[0]?.url).toMatch(/^\/api\/v1\/orders\/a%2Fb\?/);
  expect(query(sent[0])).toEqual({ contactInfo: 'meera+1@example.in' });
});

const line = cartLine({ quantity: 2, selectedSize: 'M', selectedColor: 'Red' });

it.each([
  [false, undefined],
  [true, [{ id: 'mango', quantity: 2, selectedSize: 'M', selectedColor: 'Red' }]],
])('[spec 3.order.8] with the capability orderLines %j sends the lines %j', async (orderLines, lines) => {
  vi.stubGlobal('__CAPABILITIES__', { orderLines });
  await createOrder({ cart: [line], address: EMPTY_ADDRESS, idempotencyKey: 'k' });
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    products: { mango: 2 },
    shippingAddress: EMPTY_ADDRESS,
    ...(lines ? { lines } : {}),
  });
});

const orders = json({ data: [{ id: 'o1', items: [] }] });

it('an early request replaces the first identical call, once', async () => {
  openPage();
  cookies = 'auth_token=abc';
  answer = orders;
  sendEarly(['orders']);
  expect(await fetchOrders()).toMatchObject({ ok: true, value: [{ id: 'o1' }] });
  expect(sent.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/api/v1/orders', 'Bearer abc'],
  ]);
  await fetchOrders();
  expect(sent).toHaveLength(2);
});

it('an early request is retried like any other when it fails', async () => {
  openPage();
  answer = json({ error: 'down' }, 503);
  sendEarly(['orders']);
  expect((await fetchOrders()).ok).toBe(false);
  expect(sent).toHaveLength(3);
});

it('an early request is not used for another session', async () => {
  openPage();
  cookies = 'auth_token=hers';
  answer = orders;
  sendEarly(['orders']);
  cookies = 'auth_token=his';
  await fetchOrders();
  expect(sent.map(({ headers }) => headers.authorization).toSorted()).toEqual(['Bearer hers', 'Bearer his']);
});

it('an early request is aborted when the visitor leaves the page', async () => {
  openPage();
  const left = vi.fn<(type: string, listener: () => void) => void>();
  vi.stubGlobal('addEventListener', left);
  answer = orders;
  sendEarly(['orders']);
  for (const [type, listener] of left.mock.calls) if (type === 'pagehide') listener();
  await fetchOrders();
  expect(sent.length).toBeGreaterThan(0);
  expect(Reflect.get(globalThis, 'earlyRequests').size).toBe(0);
});

it.each([
  [500, 3],
  [502, 3],
  [503, 3],
  [504, 3],
  [404, 1],
])('a GET with status %d is sent %d times', async (status, times) => {
  answer = json({ error: 'down' }, status);
  const result = await fetchPublic(productRequest('mango'));
  expect(result).toMatchObject({ ok: false, failure: { kind: 'refused', status } });
  expect(sent).toHaveLength(times);
});

it('a GET whose connection breaks is sent three times', async () => {
  answer = (response) => response.destroy();
  const result = await fetchPublic(productRequest('mango'));
  expect(result).toEqual({ ok: false, failure: { kind: 'no-answer' } });
  expect(sent).toHaveLength(3);
});

it('in a build, a GET without a response is sent three times and fails within 40 s', async () => {
  const dropped = dropPackets();
  useFakeClock();
  const product = fetchPublic(productRequest('mango'));
  await vi.advanceTimersByTimeAsync(40_000);
  expect(dropped).toHaveBeenCalledTimes(3);
  expect(await product).toEqual({ ok: false, failure: { kind: 'no-answer' } });
});

it('on a page, a GET without a response is retried and fails within 25 s', async () => {
  openPage();
  const dropped = dropPackets();
  useFakeClock();
  const product = fetchPublic(productRequest('mango'));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(dropped).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(await product).toEqual({ ok: false, failure: { kind: 'no-answer' } });
});

it('a POST is sent once, whether its connection breaks or it gets no response', async () => {
  const post = () => createOrder({ cart: [], address: EMPTY_ADDRESS, idempotencyKey: 'k' });
  const noAnswer = { ok: false, failure: { kind: 'no-answer' } };
  answer = (response) => response.destroy();
  expect(await post()).toEqual(noAnswer);
  expect(sent).toHaveLength(1);
  const dropped = dropPackets();
  useFakeClock();
  const order = post();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await order).toEqual(noAnswer);
  expect(dropped).toHaveBeenCalledTimes(1);
});

it.each([0.01, 0.02])('the pause between tries is random: %d', async (chance) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  const waiting = vi.spyOn(globalThis, 'setTimeout');
  answer = json({ error: 'down' }, 503);
  await fetchPublic(productRequest('mango'));
  const waits = waiting.mock.calls.map(([, milliseconds]) => milliseconds);
  expect(waits).toEqual(expect.arrayContaining([300 * chance, 600 * chance]));
  expect(waits).not.toEqual(expect.arrayContaining([300]));
});

it('a failing request waits at most 10 s for any Retry-After', async () => {
  const waits = { days: '86400', past: '-5', year2099: 'Fri, 01 Jan 2099 00:00:00 GMT' };
  const waiting = new Map(Object.entries(waits));
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const id = url.split('/').at(-1) ?? '';
    const retryAfter = waiting.get(id);
    waiting.delete(id);
    return retryAfter === undefined
      ? Response.json({ id, title: id })
      : Response.json({ error: 'busy' }, { status: 503, headers: { 'Retry-After': retryAfter } });
  });
  const answered: boolean[] = [];
  for (const id of Object.keys(waits))
    void fetchPublic(productRequest(id)).then(({ ok }) => answered.push(ok));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answered).toEqual([true, true, true]);
});

it.each([
  ['broken JSON', 'application/json', '{"data":['],
  ['an empty 200', 'application/json', ''],
  ['a 204', 'application/json', ''],
  ['HTML of a captive portal', 'text/html', '<h1>Log in to the hotel</h1>'],
  ['JSON that says it is HTML', 'text/html', '{"data":[],"count":0}'],
  ['JSON of the wrong type', 'application/json', '"x"'],
  ['UTF-16', 'application/json', Buffer.from('{"data":[]}', 'utf16le').toString('latin1')],
  ['Latin-1', 'application/json', Buffer.from('{"data":[],"name":"Crème"}', 'latin1')],
])('a failing request %s is unreadable', async (name, type, body) => {
  const status = name === 'a 204' ? 204 : 200;
  answer = (response) => response.writeHead(status, { 'Content-Type': type }).end(body);
  expect(await fetchPublic(listingRequest(ALL_PRODUCTS))).toEqual({
    ok: false,
    failure: { kind: 'unreadable', status },
  });
});

it('a stalled body fails after the timeout of the call', async () => {
  openPage();
  answer = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{"orders": [');
  };
  const reading = vi.spyOn(Response.prototype, 'arrayBuffer');
  useFakeClock();
  const orders = fetchOrders();
  // The head has arrived, so the timeout of the try no longer counts.
  while (reading.mock.calls.length === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(25_000);
  vi.useRealTimers();
  expect(await orders).toEqual({ ok: false, failure: { kind: 'no-answer' } });
  expect(sent).toHaveLength(1);
});

it('a byte order mark is accepted', async () => {
  answer = (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('\uFEFF{"data":[],"count":7}');
  expect(await fetchPublic(listingRequest(ALL_PRODUCTS))).toMatchObject({ ok: true, value: { total: 7 } });
});

it.each([
  ['[spec 8.track.3] the server’s text', 'Order not found', 'Order not found'],
  ['the first 200 characters of it', 'x'.repeat(900), 'x'.repeat(200)],
  ['nothing of 5 MB', 'x'.repeat(5_000_000), undefined],
])('an error response shows %s', async (_, error, shown) => {
  answer = json({ error, page: '<b>'.repeat(10) }, 422);
  expect(await fetchTrackedOrder('a', 'b')).toEqual({
    ok: false,
    failure: { kind: 'refused', status: 422, ...(shown ? { error: shown } : {}) },
  });
});

const form = {
  email: ' Meera@Example.in ',
  password: 'secret',
  confirmPassword: 'secret',
  firstName: 'M',
  lastName: 'K',
};

it.each([
  ['an empty 201', 201, {}, ''],
  ['an answer that does not say what it is', 200, {}, '<p>ok'],
  ['plain text', 200, { 'Content-Type': 'text/plain' }, 'ok'],
  ['broken JSON', 200, { 'Content-Type': 'application/json' }, '{"data":'],
])('[spec 7.users.3] a registration succeeds with %s', async (_, status, headers, body) => {
  answer = (response) => response.writeHead(status, headers).end(body);
  expect((await register(form)).ok).toBe(true);
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    email: 'meera@example.in',
    password: 'secret',
    firstName: 'M',
    lastName: 'K',
  });
});

it('a registration sends the language if the API sends emails', async () => {
  vi.stubGlobal('__CAPABILITIES__', { emails: true });
  vi.stubGlobal('document', { cookie: '', documentElement: { lang: 'hi' } });
  await register(form);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ language: 'hi' });
});

it.each(['text/html', 'Text/HTML; charset=utf-8'])(
  'a registration fails with the %s of a captive portal',
  async (type) => {
    answer = (response) => response.writeHead(200, { 'Content-Type': type }).end('<p>ok');
    expect(await register(form)).toEqual({ ok: false, failure: { kind: 'unreadable', status: 200 } });
  },
);
