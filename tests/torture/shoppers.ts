import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ADDRESS } from '#tests/support/shop-client.ts';

/** One press of Create Order, with what the API answered to it. */
export interface Attempt {
  readonly shopper: number;
  readonly key: string;
  readonly quantity: number;
  /** The order ids of all 201 responses to this key: exactly one, if all is well. */
  readonly answered: Set<string>;
}

export interface Shoppers {
  readonly signIn: () => Promise<void>;
  /** All shoppers order again and again until `stop`. Resolves when every attempt has its answer. */
  readonly shop: () => Promise<void>;
  readonly stop: () => void;
  readonly attempts: readonly Attempt[];
  readonly acknowledged: () => readonly Attempt[];
  readonly lostAnswers: () => number;
  /** Every order that GET /orders shows to one of them. */
  readonly listed: () => Promise<ReadonlySet<string>>;
}

const IdSchema = v.object({ id: v.string() });
const TokenSchema = v.object({ token: v.string() });
const ListSchema = v.object({
  data: v.array(v.object({ id: v.string(), regularPrice: v.nullish(v.number()) })),
});
const OrdersSchema = v.object({ data: v.array(IdSchema) });
const PAUSE_MS = 15;
/** 409: the attempt is being handled on another connection. 503: the API cannot store at the moment. */
const RETRIED_STATUSES = [409, 503];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param url the address of the API process that runs at the moment */
export function createShoppers(count: number, url: () => string): Shoppers {
  const attempts: Attempt[] = [];
  const tokens: string[] = [];
  let products: string[] = [];
  let running = true;
  let lost = 0;

  const send = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url()}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5_000),
    });

  /** The whole response, or undefined if the connection broke before its end. */
  async function post({
    shopper,
    quantity,
    key,
  }: Attempt): Promise<{ status: number; text: string } | undefined> {
    const product = products[shopper % products.length] ?? '';
    const body = { products: { [product]: quantity }, shippingAddress: ADDRESS };
    const headers = { Authorization: `Bearer ${tokens[shopper]}`, 'Idempotency-Key': key };
    try {
      const answer = await send('orders', body, headers);
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }

  /** Sends the attempt until it is answered, always with the same key, as the shop does after a lost response. */
  async function place(attempt: Attempt): Promise<void> {
    while (true) {
      const answer = await post(attempt);
      if (answer?.status === 201) {
        attempt.answered.add(v.parse(IdSchema, JSON.parse(answer.text)).id);
        return;
      }
      if (!answer) lost += 1;
      else if (!RETRIED_STATUSES.includes(answer.status))
        throw new Error(`POST /orders answered ${answer.status}: ${answer.text}`);
      await pause(PAUSE_MS);
    }
  }

  async function visit(shopper: number): Promise<void> {
    for (let order = 0; running; order += 1) {
      const attempt: Attempt = {
        shopper,
        key: randomUUID(),
        quantity: 1 + (order % 5),
        answered: new Set(),
      };
      attempts.push(attempt);
      // Every seventh attempt is sent by two tabs at once.
      await (order % 7 === 0 ? Promise.all([place(attempt), place(attempt)]) : place(attempt));
    }
  }

  return {
    attempts,
    acknowledged: () => attempts.filter(({ answered }) => answered.size > 0),
    lostAnswers: () => lost,
    stop: () => {
      running = false;
    },
    async listed() {
      const ids = new Set<string>();
      for (const token of tokens) {
        const answer = await send('orders', undefined, { Authorization: `Bearer ${token}` });
        for (const { id } of v.parse(OrdersSchema, await answer.json()).data) ids.add(id);
      }
      return ids;
    },
    async signIn() {
      const list = v.parse(ListSchema, await (await send('products?page=1&limit=20')).json());
      products = list.data.filter(({ regularPrice }) => (regularPrice ?? 0) > 0).map(({ id }) => id);
      for (let shopper = 0; shopper < count; shopper += 1) {
        const account = { email: `shopper${shopper}@example.com`, password: 'mango-season' };
        await send('users/register', { ...account, firstName: 'Asha', lastName: 'Rao' });
        tokens.push(v.parse(TokenSchema, await (await send('users/authorize', account)).json()).token);
      }
    },
    shop: async () => {
      await Promise.all(Array.from({ length: count }, (_, shopper) => visit(shopper)));
    },
  };
}
