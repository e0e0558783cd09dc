import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#scripts/api/payments/schema.ts';
import type { FakeProvider } from '#tests/support/providers/fake-provider.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { emailOf, productsForSale, register, signIn } from '#tests/torture/accounts.ts';
import { createAsk } from '#tests/torture/ask.ts';
import type { Shop } from '#tests/torture/shop.ts';
import type { createOffice } from './office.ts';
import { endingsOf, type Plan } from './plan.ts';
import type { createPost } from './provider-post.ts';

const IdSchema = v.object({ id: v.string() });

/** Two sites of the shop: from each of them an order has a payment of its own. */
const SITES = ['http://localhost:4321', 'http://127.0.0.1:4321'];

/** A webhook of so long ago is not believed by its time alone, in ms. */
const OLD = 10 * 60_000;

/** Where a payment's page or link names its reference. */
const REFERENCE = /(?:\/l\/|tr=)([\w-]+)/;

interface Counterparts {
  readonly shop: Shop;
  readonly provider: FakeProvider;
  readonly post: ReturnType<typeof createPost>;
  readonly office: ReturnType<typeof createOffice>;
}

/** Shoppers who order and pay one plan after the other, and send again what was lost with its process. */
export function createPayers(count: number, { shop, provider, post, office }: Counterparts) {
  const { ask, asked } = createAsk(shop.next);
  const tokens: string[] = [];
  const offices: Promise<void>[] = [];
  const counts = { 'payments begun': 0, 'tries to pay that were refused': 0 };
  let products: string[] = [];
  let methods: readonly string[] = [];

  async function order(shopper: number): Promise<string | undefined> {
    const headers = { Authorization: `Bearer ${tokens[shopper]}`, 'Idempotency-Key': randomUUID() };
    const body = { products: { [products[shopper % products.length] ?? '']: 1 }, shippingAddress: ADDRESS };
    return (await ask(IdSchema, { path: 'orders', body, headers, status: 201 }))?.content.id;
  }

  /** Begins a payment. Returns what the provider calls it; undefined where the shop refused it with a sentence. */
  async function begin(shopper: number, orderId: string, site: string, method: string) {
    const answer = await ask(PaymentResponseSchema, {
      path: 'payments',
      body: { orderId, fields: { method } },
      headers: { Authorization: `Bearer ${tokens[shopper]}`, Origin: site },
    });
    const { redirectUrl = answer?.content.action?.redirectUrl ?? '' } = answer?.content ?? {};
    const reference = REFERENCE.exec(redirectUrl)?.[1];
    counts[reference === undefined ? 'tries to pay that were refused' : 'payments begun'] += 1;
    return reference;
  }

  async function end(reference: string, plan: Plan): Promise<void> {
    let sent = 0;
    for (const ending of endingsOf(plan))
      for (const webhook of provider.end(reference, ending, Date.now() - (plan.isOld ? OLD : 0))) {
        post.sendLater(webhook, plan.deliveries[sent] ?? []);
        sent += 1;
      }
    if (!plan.comesBack) return;
    const { pathname, search } = new URL(provider.returnUrl(reference));
    await fetch(`${shop.next().url}${pathname}${search}`, { redirect: 'manual' }).catch(() => undefined);
  }

  async function carryOut(shopper: number, plan: Plan, index: number) {
    const id = await order(shopper);
    if (id === undefined) return;
    const sites = plan.isDouble ? SITES : SITES.slice(0, 1);
    const method = methods[index % methods.length] ?? '';
    const begun = await Promise.all(sites.map((site) => begin(shopper, id, site, method)));
    const references = begun.filter((reference) => reference !== undefined);
    if (plan.isCancelled) await office.cancel(id);
    await Promise.all(references.map((reference) => end(reference, plan)));
    const [first] = references;
    if (first !== undefined && plan.givesBack.length > 0)
      offices.push(office.giveBack(first, plan.givesBack));
  }

  return {
    asked,
    counts,
    async signIn(): Promise<void> {
      products = await productsForSale(ask);
      for (let shopper = 0; shopper < count; shopper += 1) {
        await register(ask, emailOf(shopper));
        tokens[shopper] = await signIn(ask, emailOf(shopper));
      }
      const headers = { Authorization: `Bearer ${tokens[0]}` };
      const form = await ask(PaymentFieldsSchema, { path: 'payments/fields', headers });
      const ways = form?.content.fields.find(({ name }) => name === 'method')?.options ?? [];
      // A picture of a QR code names no reference.
      methods = ways.filter((way) => !way.includes('QR'));
    },
    /** Begins a payment that nobody pays, and returns its reference. */
    async leaveOne(): Promise<string> {
      const id = (await order(0)) ?? '';
      return (await begin(0, id, SITES[0] ?? '', methods[0] ?? '')) ?? '';
    },
    /** Pays by one plan after the other until there are no more. @param until waits before a plan @param onPaid is told after it */
    async pay(
      plans: readonly Plan[],
      { until, onPaid }: { until: (index: number) => Promise<void>; onPaid: () => void },
    ): Promise<void> {
      const left = plans.entries();
      await Promise.all(
        Array.from({ length: count }, async (_, shopper) => {
          for (const [index, plan] of left) {
            await until(index);
            await carryOut(shopper, plan, index);
            onPaid();
          }
        }),
      );
      await Promise.all(offices);
    },
  };
}
