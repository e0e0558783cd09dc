import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ADDRESS, createShopClient, type SignedIn } from '#tests/support/shop-client.ts';
import { createClient } from './client.ts';
import type { ApiProcess, ShopProcesses } from './shop-processes.ts';

/** One press of Create Order, with the API's answers. */
export interface Attempt {
  readonly customer: SignedIn;
  readonly key: string;
  readonly quantity: number;
  /** The order ids of all 201 answers for this key: exactly one, if all is well. */
  readonly answered: Set<string>;
}

const OrderSchema = v.object({ id: v.string(), items: v.array(v.object({ quantity: v.number() })) });
const OrdersSchema = v.object({ data: v.array(v.object({ id: v.string() })) });

/** Registers and signs in customers, before anything is killed. Returns them with the products that have a price. */
export async function openAccounts(count: number, { url }: ApiProcess) {
  const client = createShopClient({ url });
  const customers = await Promise.all(Array.from({ length: count }, () => client.newSignedIn()));
  const products = (await client.products()).filter(({ price }) => price > 0).map(({ id }) => id);
  return { customers, products };
}

/** @param count how many shop concurrently */
export async function createShoppers(count: number, shop: ShopProcesses) {
  const { request, stats } = createClient(shop.next);
  const { customers, products } = await openAccounts(count, shop.next());
  const attempts: Attempt[] = [];
  let running = true;

  /** Retries until it has an answer, with the same key, as the storefront does after a lost answer. */
  async function placeOrder(attempt: Attempt): Promise<void> {
    const { customer, key, quantity } = attempt;
    const product = products[customers.indexOf(customer) % products.length] ?? '';
    const answer = await request(OrderSchema, {
      path: 'orders',
      body: { products: { [product]: quantity }, shippingAddress: ADDRESS },
      token: customer.token,
      headers: { 'Idempotency-Key': key },
      status: 201,
      isRight: ({ items }) => items.length === 1 && items[0]?.quantity === quantity,
    });
    if (!answer) return;
    attempt.answered.add(answer.content.id);
    shop.onOrder(answer.by);
  }

  async function visit(customer: SignedIn): Promise<void> {
    for (let order = 0; running; order += 1) {
      const attempt = { customer, key: randomUUID(), quantity: 1 + (order % 5), answered: new Set<string>() };
      attempts.push(attempt);
      // Every seventh attempt is sent by two tabs at once.
      await (order % 7 === 0 ? Promise.all([placeOrder(attempt), placeOrder(attempt)]) : placeOrder(attempt));
    }
  }

  return {
    attempts,
    /** The lost, refused and wrong answers. */
    stats,
    acknowledged: () => attempts.filter(({ answered }) => answered.size > 0),
    /** All shoppers order until `stop`. Resolves when every attempt has its answer. */
    shop: () => Promise.all(customers.map(visit)),
    stop: () => {
      running = false;
    },
    /** The ids of every order that GET /orders returns to the shoppers. */
    async listed(): Promise<ReadonlySet<string>> {
      const ids = new Set<string>();
      for (const { token } of customers) {
        let page = '';
        for (let last: string | undefined = ''; last !== undefined; page = `?after=${last}`) {
          const answer = await request(OrdersSchema, { path: `orders${page}`, token });
          const found = answer?.content.data ?? [];
          for (const { id } of found) ids.add(id);
          last = found.at(-1)?.id;
        }
      }
      return ids;
    },
  };
}
