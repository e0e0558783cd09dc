import * as v from 'valibot';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { refundText } from '#domain/order-history.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#server/payments/schema.ts';
import type { Settings } from '#server/settings/settings.ts';
import { valuesOf } from '#tests/server/support/rows.ts';
import type { Ending, FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';
import { testApi, withCustomer } from './api.ts';

/** A shop with this payment provider, and a customer with a Pending order of the tests' usual goods. */
export async function providerShop(provider: FakeProvider, settings: Partial<Settings> = {}) {
  const { token, ...api } = await withCustomer(
    testApi({
      settings: { paymentProviders: [provider.name], environment: provider.environment, ...settings },
    }),
  );
  const order = await api.placeOrder(token);

  async function methods(): Promise<readonly string[]> {
    const { json } = await api.ask('/payments/fields', { token });
    return v.parse(PaymentFieldsSchema, json).fields.find(({ name }) => name === 'method')?.options ?? [];
  }
  /** Submits the payment form with this method, or the first. */
  async function pay(chosen?: string, orderId = order.id) {
    const method = chosen ?? (await methods())[0];
    const { json } = await api.ask('/payments', { token, json: { orderId, fields: { method } } });
    return v.parse(PaymentResponseSchema, json);
  }
  /** Starts a payment, and returns its reference. */
  async function begin(method?: string): Promise<string> {
    const before = new Set(provider.references());
    await pay(method);
    return provider.references().find((reference) => !before.has(reference)) ?? '';
  }
  const send = ({ headers, body }: Webhook, name = provider.name) =>
    api.ask(`/payments/callback/${name}`, { body, headers: { ...headers } });
  const end = (reference: string, ending: Ending = { outcome: 'succeeded' }) =>
    provider.end(reference, ending, api.now());
  /** The order as the shopper gets it. */
  const sentOrder = async (orderId = order.id) =>
    (await api.ordersOf(token)).find(({ id }) => id === orderId);
  const status = async (orderId = order.id) => (await sentOrder(orderId))?.status;
  /** The refunds of the order, in the texts of the storefront. */
  const refunds = async () =>
    v.parse(LenientOrderSchema, await sentOrder()).refunds.map((refund) => refundText(refund));
  const states = () => valuesOf(api.db, 'SELECT state FROM payment_attempts ORDER BY created_at, reference');
  /** The word for the money of each order. */
  const money = () => valuesOf(api.db, 'SELECT money FROM orders ORDER BY number');
  const movements = () => movementsOf(api.db, 1);
  return {
    ...api,
    provider,
    token,
    order,
    methods,
    pay,
    begin,
    send,
    end,
    status,
    sentOrder,
    refunds,
    states,
    money,
    movements,
    reconcile: () => reconcile(api.services),
  };
}
