import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { OrderSchema } from '#scripts/api/orders/schema.ts';
import { callbackRequest } from '#scripts/api/payments/providers/sandbox/callback.ts';
import type { Settings } from '#scripts/api/shop/settings.ts';
import { ADDRESS, MANGO, ORDER_TOTAL } from './api.ts';
import { documentOf, officeApi } from './office.ts';
import { METHODS, SECRET } from './payments.ts';
import { anyRow } from './rows.ts';

export const ORDERS = '/office/orders';

const QrAction = v.object({ action: v.object({ qr: v.string() }) });

/** What the cells of a page's tables hold, with single spaces. @param within a selector */
export const cellsOf = (html: string, within = 'main'): string[] =>
  [...documentOf(html).querySelectorAll(`${within} td`)].map((cell) =>
    (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
  );

/** The orders that a page lists. */
export const idsOn = (html: string): string[] =>
  [...documentOf(html).querySelectorAll('input[name=order]')].map((box) => box.getAttribute('value') ?? '');

/** A packer, an owner, and a customer who orders and pays. */
export async function packing(settings: Partial<Settings> = {}) {
  const api = await officeApi({ settings: { gatewaySecret: SECRET, ...settings } });
  const [packer, owner] = [await api.staff('packer'), await api.staff('owner')];
  const { token, email } = await api.customer('asha@example.com');

  async function place(address: Partial<typeof ADDRESS> = {}, more: object = {}): Promise<string> {
    const { json } = await api.order(
      token,
      { [MANGO]: 2 },
      { shippingAddress: { ...ADDRESS, ...address }, ...more },
    );
    return v.parse(OrderSchema, json).id;
  }

  /** Starts a payment. @returns its reference */
  async function startPayment(orderId: string): Promise<string> {
    const { json } = await api.ask('/payments', { token, json: { fields: { method: METHODS.qr }, orderId } });
    return new URL(v.parse(QrAction, json).action.qr).searchParams.get('tr') ?? '';
  }

  const report = (reference: string, amount = plainAmount(ORDER_TOTAL), currency: string = CURRENCY.code) => {
    const seconds = Math.floor(api.now() / 1_000);
    const callback = { reference, outcome: 'succeeded', amount, currency } as const;
    const { headers, body } = callbackRequest(SECRET, callback, seconds);
    return api.ask('/payments/callback', {
      body: String(body),
      headers: v.parse(v.record(v.string(), v.string()), headers),
    });
  };

  /** Starts a payment and reports it. @returns its reference */
  async function pay(orderId: string, amount?: string, currency?: string): Promise<string> {
    const reference = await startPayment(orderId);
    await report(reference, amount, currency);
    return reference;
  }

  const statuses = async () =>
    (await api.db.all(anyRow, 'SELECT status FROM orders ORDER BY number')).map(({ status }) => status);
  const payments = async () =>
    (await api.db.all(anyRow, 'SELECT state FROM payments ORDER BY reference')).map(({ state }) => state);
  const log = () =>
    api.db.all(
      anyRow,
      `SELECT who, action, target_id AS id, from_json AS "from", to_json AS "to" FROM office_log
       WHERE target_type = 'order' ORDER BY number`,
    );

  return { ...api, packer, owner, token, email, place, startPayment, report, pay, statuses, payments, log };
}
