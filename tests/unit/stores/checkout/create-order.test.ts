import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { toLine } from '#domain/cart.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { ADDRESS, createShopClient, type ShopClient, type SignedIn } from '#tests/support/shop-client.ts';

vi.mock('#stores/shell/pause.ts', () => ({ pause: () => Promise.resolve() }));

/** What the network does with a POST and its response. A number is the status of a refusal. */
type Network = 'delivered' | 'answer lost' | 'never sent' | number;

let api: RunningApi;
let client: ShopClient;
let shopper: SignedIn;
let posts: (string | null)[] = [];

beforeAll(async () => {
  api = await startTestApi();
  client = createShopClient(api);
});

afterAll(() => api.close());

beforeEach(async () => {
  // Removes the jitter of the pauses.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  shopper = await client.newSignedIn();
  posts = [];
  vi.stubGlobal('document', { cookie: `auth_token=${shopper.token}` });
  vi.stubGlobal('location', { hostname: 'localhost', protocol: 'http:' });
});

const refused = (status: number): Response => Response.json({ error: `Answer ${status}` }, { status });

/** The network between the page and the API. Each POST uses the next entry, and the last entry is repeated. */
function connect(...answers: Network[]): void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request | string, init?: RequestInit) => {
    // The test's own client uses the real network.
    if (typeof request === 'string') return fetch(request, init);
    const real = new Request(request.url.replace('http://localhost:8044', api.url), request);
    if (request.method !== 'POST') return fetch(real);
    const answer = answers[Math.min(posts.length, answers.length - 1)] ?? 'delivered';
    posts.push(request.headers.get('Idempotency-Key'));
    if (typeof answer === 'number') return refused(answer);
    if (answer === 'never sent') throw new TypeError('Failed to fetch');
    const response = await fetch(real);
    if (answer === 'delivered') return response;
    throw new TypeError('Failed to fetch');
  });
}

/** GET requests fail while `isDown` returns true. Returns a function that restores the network. */
function withoutOrders(isDown: () => boolean): () => void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.method === 'GET' && isDown()) throw new TypeError('Failed to fetch');
    return fetch(request);
  });
  return () => void vi.stubGlobal('fetch', fetch);
}

async function open(keys: boolean) {
  vi.stubGlobal('__CAPABILITIES__', { idempotencyKeys: keys });
  vi.resetModules();
  const { createOrderOnce } = await import('#stores/checkout/create-order.ts');
  const { readAttempt } = await import('#stores/checkout/checkout-attempt.ts');
  const product = await client.product(({ price }) => price > 0);
  const cart = [toLine(product, { size: '', color: '', quantity: 2 })];
  return {
    place: (change: Partial<typeof ADDRESS> = {}) =>
      createOrderOnce({ cart, address: { ...ADDRESS, ...change } }, readAttempt()),
    order: () => client.order(shopper, { quantities: { [product.id]: 2 } }),
  };
}

const ordered = async (): Promise<string[]> => (await client.orders(shopper)).map(({ id }) => id);

const LOST = 'answer lost';
const [placed, unknown, refusal, signedOut] = ['placed', 'unknown', 'refused', 'signed-out'];

it.each<[string, Network[], string[], number, number]>([
  ['with lost answers it is sent again, and created once', [LOST, LOST, 'delivered'], [placed], 3, 1],
  ['after two resends it is unknown, then found', [LOST, LOST, LOST, 'delivered'], [unknown, placed], 4, 1],
  ['unknown stays unknown after a 503', [LOST, LOST, LOST, 503], [unknown, unknown], 6, 1],
  ['unknown stays unknown after a 429', [LOST, LOST, LOST, 429], [unknown, unknown], 4, 1],
  ['after a request in progress (409) it is sent again', [409, 'delivered'], [placed], 2, 1],
  ['a refusal (400) is not sent again', [400], [refusal], 1, 0],
  ['a refusal (422) is not sent again', [422], [refusal], 1, 0],
  ['a refusal (429) is not sent again', [429], [refusal], 1, 0],
  ['a 503 for every request is refused', [503], [refusal], 3, 0],
  ['a 502 for every request is unknown', [502], [unknown], 3, 0],
  ['a lost answer and then 503 is unknown, never refused', [LOST, 503], [unknown], 3, 1],
  ['a lost answer and then 429 is unknown, never refused', [LOST, 429], [unknown], 2, 1],
  // With the same key, the API would have returned the order.
  ['a lost request and then a refusal is refused', ['never sent', 422], [refusal], 2, 0],
  ['a 401 ends the session', [401], [signedOut], 1, 0],
])('with keys: %s', async (_, answers, kinds, sent, orders) => {
  connect(...answers);
  const { place } = await open(true);
  const outcomes = [];
  for (const _attempt of kinds) outcomes.push(await place());
  expect(outcomes.map(({ kind }) => kind)).toEqual(kinds);
  const ids = await ordered();
  expect([posts.length, ids.length]).toEqual([sent, orders]);
  expect(new Set(posts).size).toBe(1);
  const last = outcomes.at(-1);
  if (last?.kind === 'placed') expect(last.orderId).toBe(ids[0]);
});

it('with keys: sends a changed address as another order, with another key', async () => {
  connect('delivered');
  const { place } = await open(true);
  await place();
  await place({ city: 'Nashik' });
  expect(new Set(posts).size).toBe(2);
  expect(await ordered()).toHaveLength(2);
});

it('without keys: finds the order after a lost answer, and sends nothing again', async () => {
  connect('answer lost');
  const { place, order } = await open(false);
  const { id: older } = await order();
  const outcome = await place();
  const ids = await ordered();
  expect(ids).toHaveLength(2);
  expect(outcome).toEqual({ kind: 'placed', orderId: ids.find((id) => id !== older) });
  expect(posts).toEqual([null]);
});

it('without keys: is unknown, never refused, if the order never arrived', async () => {
  connect('never sent');
  const { place, order } = await open(false);
  await order();
  expect(await place()).toEqual({ kind: 'unknown' });
  expect(posts).toHaveLength(1);
});

it('without keys: finds an unanswered order that arrived later before it sends anything again', async () => {
  connect('never sent');
  const { place, order } = await open(false);
  expect(await place()).toEqual({ kind: 'unknown' });
  const { id } = await order();
  expect(await place()).toEqual({ kind: 'placed', orderId: id });
  expect(posts).toHaveLength(1);
});

it('without keys: is unknown after a 503 for a created order and a failed look-up, and the next call finds the order', async () => {
  connect('delivered');
  const { place } = await open(false);
  const online = globalThis.fetch;
  let isUp = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!isUp) throw new TypeError('Failed to fetch');
    const response = await online(request);
    if (request.method !== 'POST') return response;
    isUp = false;
    return refused(503);
  });
  expect(await place()).toEqual({ kind: 'unknown' });
  vi.stubGlobal('fetch', online);
  const [id] = await ordered();
  expect(await place()).toEqual({ kind: 'placed', orderId: id });
  expect(posts).toHaveLength(1);
});

it('without keys: stays unknown, and sends nothing, while the list of orders cannot be loaded', async () => {
  connect('answer lost');
  const { place } = await open(false);
  const backOnline = withoutOrders(() => posts.length > 0);
  expect(await place()).toEqual({ kind: 'unknown' });
  expect(await place()).toEqual({ kind: 'unknown' });
  expect(posts).toHaveLength(1);
  backOnline();
  const [id] = await ordered();
  expect(await place()).toEqual({ kind: 'placed', orderId: id });
  expect(posts).toHaveLength(1);
});

it('without keys: creates an order even if the list of orders cannot be loaded', async () => {
  connect('delivered');
  const { place } = await open(false);
  const backOnline = withoutOrders(() => true);
  const outcome = await place();
  backOnline();
  const [id] = await ordered();
  expect(outcome).toEqual({ kind: 'placed', orderId: id });
});

it('without keys: is unknown, and sends nothing again, if an equal order may be an older one', async () => {
  connect('answer lost');
  const { place } = await open(false);
  const backOnline = withoutOrders(() => true);
  expect(await place()).toEqual({ kind: 'unknown' });
  backOnline();
  expect(await place()).toEqual({ kind: 'unknown' });
  expect(posts).toHaveLength(1);
});

it('without keys: does not mistake an older equal order for one that was refused', async () => {
  connect(422, 'delivered');
  const { place, order } = await open(false);
  expect(await place()).toMatchObject({ kind: 'refused' });
  const { id } = await order();
  const outcome = await place();
  expect(outcome).toMatchObject({ kind: 'placed' });
  expect(outcome).not.toMatchObject({ orderId: id });
});

it('without keys: notices a sign-out before anything is sent', async () => {
  vi.stubGlobal('document', { cookie: 'auth_token=expired' });
  connect('delivered');
  const { place } = await open(false);
  expect(await place()).toEqual({ kind: 'signed-out' });
  expect(posts).toEqual([]);
});
