import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { OrderSchema } from '#scripts/api/orders/schema.ts';
import {
  callbackRequest,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from '#scripts/api/payments/providers/sandbox/callback.ts';
import { sign } from '#scripts/api/payments/providers/sandbox/signature.ts';
import type { Settings } from '#scripts/api/shop/settings.ts';
import { MANGO, ORDER_TOTAL, testApi } from './api.ts';

export const SECRET = 'a secret of the gateway for tests';
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

/** A customer with a Pending order of `ORDER_TOTAL`, and ways to pay it. */
export async function shopper(settings: Partial<Settings> = {}) {
  const api = await testApi({ settings: { gatewaySecret: SECRET, ...settings } });
  const { token } = await api.customer();
  const order = v.parse(OrderSchema, (await api.order(token, { [MANGO]: 2 })).json);

  const submit = (
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
    orderId = order.id,
  ) => api.ask('/payments', { token, json: { fields, orderId }, headers });
  const pay = async (method: string, headers: Record<string, string> = {}) =>
    (await submit({ method }, headers)).json;
  async function qrReference(): Promise<string> {
    const { action } = v.parse(QrAction, await pay(METHODS.qr));
    return new URL(action.qr).searchParams.get('tr') ?? '';
  }
  async function status(): Promise<number | undefined> {
    const { json } = await api.ask('/orders', { token });
    return v.parse(v.object({ data: v.array(OrderSchema) }), json).data.find(({ id }) => id === order.id)
      ?.status;
  }
  /** A report as the gateway signs it. */
  function report(
    reference: string,
    more: Partial<{
      outcome: 'succeeded' | 'failed';
      amount: string;
      currency: string;
      secret: string;
      age: number;
    }> = {},
  ) {
    const {
      outcome = 'succeeded',
      amount = plainAmount(ORDER_TOTAL),
      currency = CURRENCY.code,
      secret = SECRET,
      age = 0,
    } = more;
    const seconds = Math.floor(api.now() / 1_000) - age;
    const { headers, body } = callbackRequest(secret, { reference, outcome, amount, currency }, seconds);
    return api.ask('/payments/callback', {
      body: String(body),
      headers: v.parse(v.record(v.string(), v.string()), headers),
    });
  }
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
  return { ...api, token, order, submit, pay, qrReference, status, report, reportBody, states, setStatus };
}
