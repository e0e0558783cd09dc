import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toLine } from '#domain/cart.ts';
import type { RunningApi } from '#scripts/api/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { ADDRESS, createShopClient, type ShopClient, type SignedIn } from '#tests/support/shop-client.ts';

vi.mock('#stores/shell/pause.ts', () => ({ pause: () => Promise.resolve() }));

/** What happens to a POST and its response. */
type Line = 'through' | 'answer lost' | 'never sent' | number;

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
  // A retry waits for a random part of its delay: for none of it.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  shopper = await client.newSignedIn();
  posts = [];
  vi.stubGlobal('document', { cookie: `auth_token=${shopper.token}` });
  vi.stubGlobal('location', { hostname: 'localhost', protocol: 'http:' });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const refused = (status: number): Response => Response.json({ error: `Answer ${status}` }, { status });

/** The network between the page and the API. Each POST uses the next entry, and the last entry is repeated. */
function connect(...lines: Line[]): void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request | string, init?: RequestInit) => {
    // The shop's staff and its other customers have a line of their own.
    if (typeof request === 'string') return fetch(request, init);
    const real = new Request(request.url.replace('http://localhost:8044', api.url), request);
    if (request.method !== 'POST') return fetch(real);
    const line = lines[Math.min(posts.length, lines.length - 1)] ?? 'through';
    posts.push(request.headers.get('Idempotency-Key'));
    if (typeof line === 'number') return refused(line);
    if (line === 'never sent') throw new TypeError('Failed to fetch');
    const response = await fetch(real);
    if (line === 'through') return response;
    throw new TypeError('Failed to fetch');
  });
}

/** From now on GET requests fail while `isDown`. */
function withoutOrders(isDown: () => boolean): void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.method === 'GET' && isDown()) throw new TypeError('Failed to fetch');
    return fetch(request);
  });
}

async function open(keys: boolean) {
  vi.stubGlobal('__OFFERS__', { idempotencyKeys: keys });
  vi.resetModules();
  const { attemptOrder } = await import('#stores/checkout/place-order.ts');
  const { readAttempt } = await import('#stores/checkout/checkout-attempt.ts');
  const product = await client.product(({ price }) => price > 0);
  const cart = [toLine(product, { size: '', color: '', quantity: 2 })];
  return {
    place: (change: Partial<typeof ADDRESS> = {}) =>
      attemptOrder({ cart, address: { ...ADDRESS, ...change } }, readAttempt()),
    order: () => client.order(shopper, { quantities: { [product.id]: 2 } }),
  };
}

const ordered = async (): Promise<string[]> => (await client.orders(shopper)).map(({ id }) => id);

describe('with keys', () => {
  it('[fault 19] resends after a lost answer with the same key, which makes one order', async () => {
    connect('answer lost', 'answer lost', 'through');
    const { place } = await open(true);
    const outcome = await place();
    const [id] = await ordered();
    expect(outcome).toEqual({ kind: 'placed', orderId: id });
    expect(await ordered()).toHaveLength(1);
    expect(posts).toHaveLength(3);
    expect(new Set(posts).size).toBe(1);
  });

  it('[fault 19] is unknown after two resends without an answer, and the next attempt finds the order', async () => {
    connect('answer lost', 'answer lost', 'answer lost', 'through');
    const { place } = await open(true);
    expect(await place()).toEqual({ kind: 'unknown' });
    const [id] = await ordered();
    expect(await place()).toEqual({ kind: 'placed', orderId: id });
    expect(await ordered()).toHaveLength(1);
  });

  it.each([503, 429])(
    '[fault 20] unknown stays unknown when the next attempt is answered only by %i',
    async (status) => {
      connect('answer lost', 'answer lost', 'answer lost', status);
      const { place } = await open(true);
      expect(await place()).toEqual({ kind: 'unknown' });
      expect(await place()).toEqual({ kind: 'unknown' });
      expect(await ordered()).toHaveLength(1);
    },
  );

  it('[fault 21] waits for another attempt in progress (409)', async () => {
    connect(409, 'through');
    const { place } = await open(true);
    expect(await place()).toMatchObject({ kind: 'placed' });
    expect(posts).toHaveLength(2);
  });

  it('sends a changed address as another order, with another key', async () => {
    connect('through');
    const { place } = await open(true);
    await place();
    await place({ city: 'Nashik' });
    expect(new Set(posts).size).toBe(2);
    expect(await ordered()).toHaveLength(2);
  });

  it.each([400, 422, 429])('does not resend after a refusal (%i)', async (status) => {
    connect(status);
    const { place } = await open(true);
    expect(await place()).toMatchObject({ kind: 'refused', failure: { status } });
    expect(posts).toHaveLength(1);
  });

  it.each([
    [503, 'refused'],
    [502, 'unknown'],
  ])('a %i on every attempt is %s', async (status, kind) => {
    connect(status);
    const { place } = await open(true);
    expect(await place()).toMatchObject({ kind });
    expect(posts).toHaveLength(3);
  });

  it.each([503, 429])(
    '[fault 20] is unknown, never refused, after a lost answer and then %i',
    async (status) => {
      connect('answer lost', status);
      const { place } = await open(true);
      expect(await place()).toEqual({ kind: 'unknown' });
      expect(await ordered()).toHaveLength(1);
    },
  );

  it('is refused after a lost answer and then a refusal, because the same key would have returned the order', async () => {
    connect('never sent', 422);
    const { place } = await open(true);
    expect(await place()).toMatchObject({ kind: 'refused' });
  });

  it('[fault 35] a 401 ends the session', async () => {
    connect(401);
    const { place } = await open(true);
    expect(await place()).toEqual({ kind: 'signed-out' });
  });
});

describe('without keys', () => {
  it('[fault 20] looks for the order after a lost answer, and sends nothing again', async () => {
    connect('answer lost');
    const { place, order } = await open(false);
    const { id: older } = await order();
    const outcome = await place();
    const ids = await ordered();
    expect(ids).toHaveLength(2);
    expect(outcome).toEqual({ kind: 'placed', orderId: ids.find((id) => id !== older) });
    expect(posts).toEqual([null]);
  });

  it('[fault 20] an order that never arrived is unknown, never refused', async () => {
    connect('never sent');
    const { place, order } = await open(false);
    await order();
    expect(await place()).toEqual({ kind: 'unknown' });
    expect(posts).toHaveLength(1);
  });

  it('[fault 20] an unanswered order that turns up later is found before anything is sent again', async () => {
    connect('never sent');
    const { place, order } = await open(false);
    expect(await place()).toEqual({ kind: 'unknown' });
    const { id } = await order();
    expect(await place()).toEqual({ kind: 'placed', orderId: id });
    expect(posts).toHaveLength(1);
  });

  it('[fault 20] is unknown after a 503 for a created order and a failed look-up, and the next attempt finds the order', async () => {
    connect('through');
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

  it('[fault 20] stays unknown, and sends nothing, while the list of orders cannot be loaded', async () => {
    connect('answer lost');
    const { place } = await open(false);
    const online = globalThis.fetch;
    withoutOrders(() => posts.length > 0);
    expect(await place()).toEqual({ kind: 'unknown' });
    expect(await place()).toEqual({ kind: 'unknown' });
    expect(posts).toHaveLength(1);
    vi.stubGlobal('fetch', online);
    const [id] = await ordered();
    expect(await place()).toEqual({ kind: 'placed', orderId: id });
    expect(posts).toHaveLength(1);
  });

  it('places an order also if the list of orders cannot be loaded', async () => {
    connect('through');
    const { place } = await open(false);
    const online = globalThis.fetch;
    withoutOrders(() => true);
    const outcome = await place();
    vi.stubGlobal('fetch', online);
    const [id] = await ordered();
    expect(outcome).toEqual({ kind: 'placed', orderId: id });
  });

  it('[fault 20] is unknown, and sends nothing again, if an equal order may be an older one', async () => {
    connect('answer lost');
    const { place } = await open(false);
    const online = globalThis.fetch;
    withoutOrders(() => true);
    expect(await place()).toEqual({ kind: 'unknown' });
    vi.stubGlobal('fetch', online);
    expect(await place()).toEqual({ kind: 'unknown' });
    expect(posts).toHaveLength(1);
  });

  it('does not mistake an older equal order for one that was refused', async () => {
    connect(422, 'through');
    const { place, order } = await open(false);
    expect(await place()).toMatchObject({ kind: 'refused' });
    const { id } = await order();
    const outcome = await place();
    expect(outcome).toMatchObject({ kind: 'placed' });
    expect(outcome).not.toMatchObject({ orderId: id });
  });

  it('[fault 35] notices a sign-out before anything is sent', async () => {
    vi.stubGlobal('document', { cookie: 'auth_token=expired' });
    connect('through');
    const { place } = await open(false);
    expect(await place()).toEqual({ kind: 'signed-out' });
    expect(posts).toEqual([]);
  });
});
