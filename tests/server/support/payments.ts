import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { METHODS as SANDBOX } from '#server/payments/providers/sandbox/sandbox.ts';
import type { Settings } from '#server/settings/settings.ts';
import { valuesOf } from '#tests/server/support/rows.ts';
import { type Answer, ORDER_TOTAL, type TestApi, testApi, withCustomer } from './api.ts';

export const METHODS = { ...SANDBOX, cash: 'Cash on delivery' };

const QrAction = v.object({ action: v.object({ type: v.literal('qr'), qr: v.string() }) });
export const CardAction = v.object({
  action: v.object({
    type: v.literal('redirect_post'),
    redirectUrl: v.string(),
    formParams: v.object({
      type: v.string(),
      url: v.string(),
      data: v.looseObject({ reference: v.string() }),
    }),
  }),
});

interface Report {
  readonly outcome?: 'succeeded' | 'failed';
  readonly amount?: string;
  readonly currency?: string;
}

/** Pays the orders of a customer, and decides on the sandbox's page how that ends. */
export function sandboxOf(api: Pick<TestApi, 'ask'>, token: string) {
  const submit = (
    orderId: string,
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Answer> => api.ask('/payments', { token, json: { fields, orderId }, headers });

  /** Starts a payment. @returns its reference */
  async function startPayment(orderId: string): Promise<string> {
    const { action } = v.parse(QrAction, (await submit(orderId, { method: METHODS.qr })).json);
    return new URL(action.qr).searchParams.get('tr') ?? '';
  }

  /** Reports on the gateway's page how a payment ends. */
  const report = (
    reference: string,
    { outcome = 'succeeded', amount = plainAmount(ORDER_TOTAL), currency = CURRENCY.code }: Report = {},
  ): Promise<Answer> =>
    api.ask('/gateway/upi/result', {
      body: new URLSearchParams({ tr: reference, am: amount, cu: currency, outcome }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });

  /** Starts a payment and reports it. @returns its reference */
  async function pay(orderId: string, more?: Report): Promise<string> {
    const reference = await startPayment(orderId);
    await report(reference, more);
    return reference;
  }

  return { submit, startPayment, report, pay };
}

/** A customer with a Pending order of `ORDER_TOTAL`, and what became of it. */
export async function customerWithOrder(settings: Partial<Settings>) {
  const { token, ...api } = await withCustomer(testApi({ settings }));
  const order = await api.placeOrder(token);
  /** The order as the shopper gets it. */
  const sentOrder = async (orderId = order.id) =>
    (await api.ordersOf(token)).find(({ id }) => id === orderId);
  return {
    ...api,
    token,
    order,
    sentOrder,
    status: async (orderId?: string) => (await sentOrder(orderId))?.status,
    states: () => valuesOf(api.db, 'SELECT state FROM payment_attempts ORDER BY created_at, reference'),
    /** The word for the money of each order. */
    money: () => valuesOf(api.db, 'SELECT money FROM orders ORDER BY number'),
  };
}

/** The same, with functions to pay the order at the sandbox. */
export async function shopper(settings: Partial<Settings> = {}) {
  const shop = await customerWithOrder(settings);
  const { order } = shop;
  const sandbox = sandboxOf(shop, shop.token);

  const submit = (
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
    orderId = order.id,
  ) => sandbox.submit(orderId, fields, headers);
  const pay = async (method: string, headers: Record<string, string> = {}) =>
    (await submit({ method }, headers)).json;
  const qrReference = () => sandbox.startPayment(order.id);
  return { ...shop, submit, pay, qrReference, report: sandbox.report };
}
