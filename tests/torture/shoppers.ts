import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { emailOf, productsForSale, register, signIn } from './accounts.ts';
import { type Asked, createAsk } from './ask.ts';
import type { Shop } from './shop.ts';

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
  /** How many answers were lost or refused, and the text of each wrong one. */
  readonly asked: Asked;
  /** Every order that GET /orders shows to one of them. */
  readonly listed: () => Promise<ReadonlySet<string>>;
}

const ProductSchema = v.object({ id: v.string() });
const OneSchema = v.object({ data: ProductSchema });
const AccountSchema = v.object({ data: v.object({ email: v.string() }) });
const OrderSchema = v.object({ id: v.string(), items: v.array(v.object({ quantity: v.number() })) });
const OrdersSchema = v.object({ data: v.array(v.object({ id: v.string() })) });

/** @param count how many of them shop at the same time */
export function createShoppers(count: number, shop: Pick<Shop, 'next' | 'hasSold'>): Shoppers {
  const { ask, asked } = createAsk(shop.next);
  const attempts: Attempt[] = [];
  const tokens: string[] = [];
  let products: string[] = [];
  let running = true;

  const bearer = (shopper: number) => ({ Authorization: `Bearer ${tokens[shopper]}` });

  async function signInOne(shopper: number): Promise<void> {
    tokens[shopper] = await signIn(ask, emailOf(shopper));
  }

  /** Sends the attempt until it is answered, always with the same key, as the shop does after a lost response. */
  async function place(attempt: Attempt): Promise<void> {
    const { shopper, key, quantity } = attempt;
    const product = products[shopper % products.length] ?? '';
    const answer = await ask(OrderSchema, {
      path: 'orders',
      body: { products: { [product]: quantity }, shippingAddress: ADDRESS },
      headers: { ...bearer(shopper), 'Idempotency-Key': key },
      status: 201,
      isRight: ({ items }) => items.length === 1 && items[0]?.quantity === quantity,
    });
    if (!answer) return;
    attempt.answered.add(answer.content.id);
    shop.hasSold(answer.by);
  }

  /** What a shopper does between orders. Another process than the one that took the order answers. */
  const ERRANDS: readonly ((attempt: Attempt) => Promise<unknown>)[] = [
    async ({ answered, quantity, shopper }) => {
      for (const id of answered) {
        await ask(OrderSchema, {
          path: `orders/${id}?contactInfo=${emailOf(shopper)}`,
          isRight: (order) => order.id === id && order.items[0]?.quantity === quantity,
        });
      }
    },
    ({ shopper }) => {
      const id = products[shopper] ?? '';
      return ask(OneSchema, { path: `products/${id}`, isRight: ({ data }) => data.id === id });
    },
    ({ shopper }) =>
      ask(AccountSchema, {
        path: 'accountInfo',
        headers: bearer(shopper),
        isRight: ({ data }) => data.email === emailOf(shopper),
      }),
    ({ shopper }) => signInOne(shopper),
  ];

  async function visit(shopper: number): Promise<void> {
    for (let order = 0; running; order += 1) {
      const attempt = { shopper, key: randomUUID(), quantity: 1 + (order % 5), answered: new Set<string>() };
      attempts.push(attempt);
      // Every seventh attempt is sent by two tabs at once.
      await (order % 7 === 0 ? Promise.all([place(attempt), place(attempt)]) : place(attempt));
      if (order % 6 === 0) await ERRANDS[(order / 6) % ERRANDS.length]?.(attempt);
    }
  }

  return {
    attempts,
    asked,
    acknowledged: () => attempts.filter(({ answered }) => answered.size > 0),
    stop: () => {
      running = false;
    },
    async listed() {
      const ids = new Set<string>();
      for (const shopper of tokens.keys()) {
        const answer = await ask(OrdersSchema, { path: 'orders', headers: bearer(shopper) });
        for (const { id } of answer?.content.data ?? []) ids.add(id);
      }
      return ids;
    },
    async signIn() {
      products = await productsForSale(ask);
      for (let shopper = 0; shopper < count; shopper += 1) {
        await register(ask, emailOf(shopper));
        await signInOne(shopper);
      }
    },
    shop: async () => {
      await Promise.all(Array.from({ length: count }, (_, shopper) => visit(shopper)));
    },
  };
}
