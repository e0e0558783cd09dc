import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import {
  callbackRequest,
  SIGNATURE_HEADER,
  sign,
  TIMESTAMP_HEADER,
} from '#scripts/api/payments/providers/sandbox/callback.ts';
import type { Settings } from '#scripts/settings/settings.ts';
import { type Answer, ORDER_TOTAL, SECRET, type TestApi, testApi } from './api.ts';

export const METHODS = {
  qr: 'UPI QR',
  app: 'UPI app',
  card: 'Card or net banking',
  cash: 'Cash on delivery',
};

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
  readonly secret?: string;
  /** In seconds. */
  readonly age?: number;
}

/** Pays the orders of a customer, and reports as the sandbox's gateway does. */
export function sandboxOf(api: TestApi, token: string) {
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

  /** A report as the gateway signs it. */
  function report(
    reference: string,
    {
      outcome = 'succeeded',
      amount = plainAmount(ORDER_TOTAL),
      currency = CURRENCY.code,
      secret = SECRET,
      age = 0,
    }: Report = {},
  ): Promise<Answer> {
    const seconds = Math.floor(api.now() / 1_000) - age;
    const { headers, body } = callbackRequest(secret, { reference, outcome, amount, currency }, seconds);
    return api.ask('/payments/callback', {
      body: String(body),
      headers: v.parse(v.record(v.string(), v.string()), headers),
    });
  }

  /** Starts a payment and reports it. @returns its reference */
  async function pay(orderId: string, more?: Report): Promise<string> {
    const reference = await startPayment(orderId);
    await report(reference, more);
    return reference;
  }

  return { submit, startPayment, report, pay };
}

/** A customer with a Pending order of `ORDER_TOTAL`, and ways to pay it. */
export async function shopper(settings: Partial<Settings> = {}) {
  const api = await testApi({ settings });
  const { token } = await api.customer();
  const order = await api.placeOrder(token);
  const sandbox = sandboxOf(api, token);

  const submit = (
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
    orderId = order.id,
  ) => sandbox.submit(orderId, fields, headers);
  const pay = async (method: string, headers: Record<string, string> = {}) =>
    (await submit({ method }, headers)).json;
  const status = async (): Promise<number | undefined> =>
    (await api.ordersOf(token)).find(({ id }) => id === order.id)?.status;
  /** A report as no gateway should write it, but signed. */
  function reportBody(body: string) {
    const seconds = String(Math.floor(api.now() / 1_000));
    const headers = {
      'Content-Type': 'application/json',
      [TIMESTAMP_HEADER]: seconds,
      [SIGNATURE_HEADER]: sign(SECRET, `${seconds}.${body}`),
    };
    return api.ask('/payments/callback', { body, headers });
  }
  const states = () =>
    api.db.all(v.object({ state: v.string() }), 'SELECT state FROM payments ORDER BY created_at, reference');
  const setStatus = (to: number) =>
    api.db.write((transaction) => transaction.run('UPDATE orders SET status = ?', to));
  return {
    ...api,
    token,
    order,
    submit,
    pay,
    qrReference: () => sandbox.startPayment(order.id),
    status,
    report: sandbox.report,
    reportBody,
    states,
    setStatus,
  };
}
