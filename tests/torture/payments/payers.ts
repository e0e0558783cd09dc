import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { Database } from '#scripts/api/db/database.ts';
import { moveOrder } from '#scripts/api/orders/move-order.ts';
import { holdsMoney, storeRefund } from '#scripts/api/payments/refunds.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#scripts/api/payments/schema.ts';
import { findPayment } from '#scripts/api/payments/stored-payments.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/settings/settings.ts';
import type { FakeProvider } from '#tests/support/providers/fake-provider.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { emailOf, productsForSale, register, signIn } from '#tests/torture/accounts.ts';
import { createAsk } from '#tests/torture/ask.ts';
import type { Shop } from '#tests/torture/shop.ts';
import { endingsOf, type Plan } from './plan.ts';
import type { createPost } from './provider-post.ts';

const IdSchema = v.object({ id: v.string() });

/** Two sites of the shop: from each of them an order has a payment of its own. */
const SITES = ['http://localhost:4321', 'http://127.0.0.1:4321'];

/** Where a payment's page or link names its reference. */
const REFERENCE = /(?:\/l\/|tr=)([\w-]+)/;

/** How often, and how far apart in ms, the owners look whether a payment has come. */
const LOOKS = 40;
const BETWEEN = 500;

const BY_STAFF = { settings: readSettings({}), clock: Date.now, ids: randomIds };

/** Two owners at once give back each a part of a payment, as soon as its money is there. */
async function giveBack(db: Database, reference: string, parts: readonly number[]): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const payment = await findPayment(db, reference);
    if (payment && holdsMoney(payment.state)) {
      const requests = parts.map((part) => ({
        key: randomIds.payment(),
        reference,
        paise: Math.round(payment.amountPaise * part),
        reason: 'torture',
        who: 'an owner',
      }));
      await Promise.all(
        requests.map((request) => db.write((transaction) => storeRefund(transaction, Date.now(), request))),
      );
      return;
    }
    await pause(BETWEEN);
  }
}

interface Counterparts {
  readonly shop: Shop;
  readonly provider: FakeProvider;
  readonly post: ReturnType<typeof createPost>;
  readonly db: Database;
}

/** Shoppers who order and pay one plan after the other, and send again what was lost with its process. */
export function createPayers(count: number, { shop, provider, post, db }: Counterparts) {
  const { ask, asked } = createAsk(shop.next);
  const tokens: string[] = [];
  const refunds: Promise<void>[] = [];
  let products: string[] = [];
  let method = '';

  async function order(shopper: number): Promise<string> {
    const headers = { Authorization: `Bearer ${tokens[shopper]}`, 'Idempotency-Key': randomUUID() };
    const body = { products: { [products[shopper % products.length] ?? '']: 1 }, shippingAddress: ADDRESS };
    return (await ask(IdSchema, { path: 'orders', body, headers, status: 201 }))?.content.id ?? '';
  }

  /** Begins a payment. Returns what the provider calls it; undefined where the shop refused it with a sentence. */
  async function begin(shopper: number, orderId: string, site: string) {
    const answer = await ask(PaymentResponseSchema, {
      path: 'payments',
      body: { orderId, fields: { method } },
      headers: { Authorization: `Bearer ${tokens[shopper]}`, Origin: site },
    });
    const { redirectUrl = answer?.content.action?.redirectUrl ?? '' } = answer?.content ?? {};
    return REFERENCE.exec(redirectUrl)?.[1];
  }

  async function end(reference: string, plan: Plan): Promise<void> {
    const webhooks = endingsOf(plan).flatMap((ending) => provider.end(reference, ending, Date.now()));
    for (const [index, webhook] of webhooks.entries()) post.sendLater(webhook, plan.deliveries[index] ?? []);
    if (!plan.comesBack) return;
    const { pathname, search } = new URL(provider.returnUrl(reference));
    await fetch(`${shop.next().url}${pathname}${search}`, { redirect: 'manual' }).catch(() => undefined);
  }

  async function carryOut(shopper: number, plan: Plan) {
    const id = await order(shopper);
    const sites = plan.isDouble ? SITES : SITES.slice(0, 1);
    const begun = await Promise.all(sites.map((site) => begin(shopper, id, site)));
    const references = begun.filter((reference) => reference !== undefined);
    if (plan.isCancelled)
      await db.write((transaction) =>
        moveOrder(transaction, BY_STAFF, { id, move: 'cancel' }, async () => {}),
      );
    await Promise.all(references.map((reference) => end(reference, plan)));
    const [first] = references;
    if (first !== undefined && plan.givesBack.length > 0) refunds.push(giveBack(db, first, plan.givesBack));
  }

  return {
    asked,
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
      method = ways.find((way) => !way.includes('QR')) ?? '';
    },
    /** Pays by one plan after the other until there are no more. @param until waits before a plan */
    async pay(plans: readonly Plan[], until: (index: number) => Promise<void>): Promise<void> {
      const left = plans.entries();
      await Promise.all(
        Array.from({ length: count }, async (_, shopper) => {
          for (const [index, plan] of left) {
            await until(index);
            await carryOut(shopper, plan);
          }
        }),
      );
      await Promise.all(refunds);
    },
  };
}
