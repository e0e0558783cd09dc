import * as v from 'valibot';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { refundText } from '#domain/order-history.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#server/payments/schema.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { Ending, FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';
import { customerWithOrder } from './payments.ts';

/** A shop with this payment provider, and a customer with a Pending order of the tests' usual goods. */
export async function providerShop(provider: FakeProvider, settings: Partial<Settings> = {}) {
  const { name, environment } = provider;
  const shop = await customerWithOrder({ paymentProviders: [name], environment, ...settings });
  const { token, order, sentOrder } = shop;

  async function methods(): Promise<readonly string[]> {
    const { json } = await shop.ask('/payments/fields', { token });
    return v.parse(PaymentFieldsSchema, json).fields.find((field) => field.name === 'method')?.options ?? [];
  }
  /** Submits the payment form with this method, or the first. */
  async function pay(chosen?: string, orderId = order.id) {
    const method = chosen ?? (await methods())[0];
    const { json } = await shop.ask('/payments', { token, json: { orderId, fields: { method } } });
    return v.parse(PaymentResponseSchema, json);
  }
  /** Starts a payment, and returns its reference. */
  async function begin(method?: string, orderId?: string): Promise<string> {
    const before = new Set(provider.references());
    await pay(method, orderId);
    return provider.references().find((reference) => !before.has(reference)) ?? '';
  }
  const send = ({ headers, body }: Webhook) =>
    shop.ask(`/payments/callback/${name}`, { body, headers: { ...headers } });
  const end = (reference: string, ending: Ending = { outcome: 'succeeded' }) =>
    provider.end(reference, ending, shop.now());
  /** The refunds of the order, in the texts of the storefront. */
  const refunds = async () =>
    v.parse(LenientOrderSchema, await sentOrder()).refunds.map((refund) => refundText(refund));
  const movements = () => movementsOf(shop.db, 1);
  const poll = () => reconcile(shop.services);
  return { ...shop, provider, methods, pay, begin, send, end, refunds, movements, reconcile: poll };
}
