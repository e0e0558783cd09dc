import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { Database } from '#server/db/database.ts';
import { applyTransition } from '#server/fulfilment/apply-transition.ts';
import { refundOrder } from '#server/payments/refund-order.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#server/payments/schema.ts';
import { findAttempt } from '#server/payments/stored-attempts.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';
import { ADDRESS, type SignedIn } from '#tests/support/shop-client.ts';
import { createClient } from '#tests/torture/client.ts';
import type { ShopProcesses } from '#tests/torture/shop-processes.ts';
import { openAccounts } from '#tests/torture/shoppers.ts';
import type { Plan } from './plan.ts';

const IdSchema = v.object({ id: v.string() });

/** Two sites of the shop: an order has a separate payment for each. */
const SITES = ['http://localhost:4321', 'http://127.0.0.1:4321'];

/** The reference in a payment's URL. */
const REFERENCE = /(?:\/l\/|tr=)([\w-]+)/;

/** How often, and how far apart in ms, the owners check whether a payment was received. */
const LOOKS = 40;
const BETWEEN = 500;

const BY_STAFF = { settings: readSettings({}), clock: Date.now };

/** Two owners refund a part each, concurrently, as soon as the payment is received. */
async function refundParts(db: Database, reference: string, parts: readonly number[]): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await pause(BETWEEN);
    const attempt = await findAttempt(db, reference);
    if (attempt?.state !== 'done') continue;
    const give = (part: number) => {
      const paise = Math.round(attempt.amountPaise * part);
      const book = { services: BY_STAFF, orderNumber: attempt.orderNumber, recordedBy: 'an owner' };
      return db.write((transaction) => refundOrder({ transaction, ...book }, { paise, reason: 'torture' }));
    };
    await Promise.all(parts.map(give));
    return;
  }
}

/** Shoppers who order and pay by plans, and retry what was lost with a killed process. */
export async function createPayers(count: number, shop: ShopProcesses, provider: FakeProvider, db: Database) {
  const { request, stats } = createClient(shop.next);
  const posted: Promise<void>[] = [];
  const { customers, products } = await openAccounts(count, shop.next());
  const refunds: Promise<void>[] = [];
  const form = await request(PaymentFieldsSchema, {
    path: 'payments/fields',
    token: customers[0]?.token ?? '',
  });
  const methods = form?.content.fields.find(({ name }) => name === 'method')?.options ?? [];
  // The image of a QR code has no readable reference.
  const method = methods.find((each) => !each.includes('QR')) ?? '';

  async function order(customer: SignedIn): Promise<string> {
    const { token } = customer;
    const headers = { 'Idempotency-Key': randomUUID() };
    const product = products[customers.indexOf(customer) % products.length] ?? '';
    const body = { products: { [product]: 1 }, shippingAddress: ADDRESS };
    return (await request(IdSchema, { path: 'orders', body, token, headers, status: 201 }))?.content.id ?? '';
  }

  /** Starts a payment. Returns its reference; undefined if the shop refused it. */
  async function begin({ token }: SignedIn, orderId: string, Origin: string) {
    const answer = await request(PaymentResponseSchema, {
      path: 'payments',
      body: { orderId, fields: { method } },
      token,
      headers: { Origin },
    });
    const { redirectUrl = answer?.content.action?.redirectUrl ?? '' } = answer?.content ?? {};
    return REFERENCE.exec(redirectUrl)?.[1];
  }

  /** Posts a provider's webhook. One that hits a killed process is not repeated: it counts as lost. */
  async function post({ headers, body }: Webhook, delay: number): Promise<void> {
    await pause(delay);
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) };
    await fetch(`${shop.next().url}/api/v1/payments/callback/${provider.name}`, init).catch(() => undefined);
  }

  async function end(reference: string, { endings, deliveries, comesBack }: Plan): Promise<void> {
    const webhooks = endings.flatMap((ending) => provider.end(reference, ending, Date.now()));
    for (const [index, webhook] of webhooks.entries())
      posted.push(...(deliveries[index] ?? []).map((delay) => post(webhook, delay)));
    if (!comesBack) return;
    const { pathname, search } = new URL(provider.returnUrl(reference));
    await fetch(`${shop.next().url}${pathname}${search}`, { redirect: 'manual' }).catch(() => undefined);
  }

  async function carryOut(customer: SignedIn, plan: Plan) {
    const id = await order(customer);
    const sites = plan.isDouble ? SITES : SITES.slice(0, 1);
    const begun = await Promise.all(sites.map((site) => begin(customer, id, site)));
    const references = begun.filter((reference) => reference !== undefined);
    if (plan.isCancelled)
      await db.write((transaction) =>
        applyTransition(transaction, BY_STAFF, { id, transition: 'cancel' }, async () => {}),
      );
    await Promise.all(references.map((reference) => end(reference, plan)));
    const [first] = references;
    if (first !== undefined && plan.refundParts.length > 0)
      refunds.push(refundParts(db, first, plan.refundParts));
  }

  return {
    stats,
    /** Pays by all plans. @param until waits before a plan */
    async pay(plans: readonly Plan[], until: (index: number) => Promise<void>): Promise<void> {
      const left = plans.entries();
      await Promise.all(
        customers.map(async (customer) => {
          for (const [index, plan] of left) {
            await until(index);
            await carryOut(customer, plan);
          }
        }),
      );
      await Promise.all([...refunds, ...posted]);
    },
  };
}
