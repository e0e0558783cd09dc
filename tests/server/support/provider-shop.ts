import * as v from 'valibot';
import { OrderSchema } from '#api/schema/order.ts';
import { refundText } from '#domain/refund.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#server/payments/schema.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { Ending, FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';
import { testApi } from './api.ts';

/** A shop that is paid by this provider, and a customer with a Pending order of the tests' usual goods. */
export async function providerShop(provider: FakeProvider, settings: Partial<Settings> = {}) {
  const api = await testApi({
    settings: { paymentProviders: [provider.name], environment: provider.environment, ...settings },
  });
  const { token } = await api.customer();
  const order = await api.placeOrder(token);

  async function ways(): Promise<readonly string[]> {
    const { json } = await api.ask('/payments/fields', { token });
    return v.parse(PaymentFieldsSchema, json).fields.find(({ name }) => name === 'method')?.options ?? [];
  }
  /** Submits the payment form with this way, or the first. */
  async function pay(way?: string, orderId = order.id) {
    const method = way ?? (await ways())[0];
    const { json } = await api.ask('/payments', { token, json: { orderId, fields: { method } } });
    return v.parse(PaymentResponseSchema, json);
  }
  /** Begins a payment, and returns what the provider calls it. */
  async function begin(way?: string): Promise<string> {
    const before = new Set(provider.references());
    await pay(way);
    return provider.references().find((reference) => !before.has(reference)) ?? '';
  }
  const send = ({ headers, body }: Webhook, name = provider.name) =>
    api.ask(`/payments/callback/${name}`, { body, headers: { ...headers } });
  const end = (reference: string, ending: Ending = { outcome: 'succeeded' }) =>
    provider.end(reference, ending, api.now());
  /** What the shopper sees of an order. */
  const seen = async (orderId = order.id) => (await api.ordersOf(token)).find(({ id }) => id === orderId);
  const status = async (orderId = order.id) => (await seen(orderId))?.status;
  /** What goes back of the order, as the shopper reads it. */
  const refunds = async () => v.parse(OrderSchema, await seen()).refunds.map((refund) => refundText(refund));
  const states = async () =>
    (
      await api.db.all(
        v.object({ state: v.string() }),
        'SELECT state FROM payments ORDER BY created_at, reference',
      )
    ).map(({ state }) => state);
  return {
    ...api,
    provider,
    token,
    order,
    ways,
    pay,
    begin,
    send,
    end,
    status,
    seen,
    refunds,
    states,
    reconcile: () => reconcile(api.services),
  };
}
