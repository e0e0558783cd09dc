import type { Settings } from '#server/settings/settings.ts';
import { rowsOf } from '#tests/server/support/rows.ts';
import { adminApi, documentOf } from './admin.ts';
import { ADDRESS, MANGO } from './api.ts';
import { sandboxOf } from './payments.ts';

export const ORDERS = '/admin/orders';

/** Returns the texts of a page's table cells, with single spaces. @param within a selector */
export const cellsOf = (html: string, within = 'main'): string[] =>
  [...documentOf(html).querySelectorAll(`${within} td`)].map((cell) =>
    (cell.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
  );

/** Returns the ids of the orders that a page lists. */
export const idsOn = (html: string): string[] =>
  [...documentOf(html).querySelectorAll('input[name=order]')].map((box) => box.getAttribute('value') ?? '');

/** A packer, an owner, and a customer who orders and pays. */
export async function packing(settings: Partial<Settings> = {}) {
  const api = await adminApi({ settings });
  const [packer, owner] = [await api.staff('packer'), await api.staff('owner')];
  const { token, email } = await api.customer('asha@example.com');

  const place = async (address: Partial<typeof ADDRESS> = {}, more: object = {}): Promise<string> =>
    (await api.placeOrder(token, { [MANGO]: 2 }, { shippingAddress: { ...ADDRESS, ...address }, ...more }))
      .id;
  const { startPayment, report, pay } = sandboxOf(api, token);

  const statuses = async () =>
    (await rowsOf(api.db, 'SELECT status FROM orders ORDER BY number')).map(({ status }) => status);
  const payments = async () =>
    (await rowsOf(api.db, 'SELECT state FROM payments ORDER BY reference')).map(({ state }) => state);
  const log = () =>
    rowsOf(
      api.db,
      `SELECT who, action, target_id AS id, from_json AS "from", to_json AS "to" FROM admin_log
       WHERE target_type = 'order' ORDER BY number`,
    );

  return { ...api, packer, owner, token, email, place, startPayment, report, pay, statuses, payments, log };
}
