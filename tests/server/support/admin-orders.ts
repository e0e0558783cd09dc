import { expect } from 'vitest';
import { runBatches } from '#server/fulfilment/batches/run-batches.ts';
import { paymentMethodsOf } from '#server/payments/providers/providers.ts';
import type { Settings } from '#server/settings/settings.ts';
import { rowsOf, valuesOf } from '#tests/server/support/rows.ts';
import { documentOf, filledForm, mainText, tableRows } from './admin.ts';
import { ADDRESS, MANGO } from './api.ts';
import { emailsApi } from './emails.ts';
import { sandboxOf } from './payments.ts';

export const ORDERS = '/admin/orders';

/** The texts of all cells of a page's tables. */
export const cellsOf = (...given: Parameters<typeof tableRows>): string[] => tableRows(...given).flat();

/** Returns the ids of the orders that a page lists. */
export const idsOn = (html: string): string[] =>
  [...documentOf(html).querySelectorAll('input[name=order]')].map((box) => box.getAttribute('value') ?? '');

type Browser = Pick<Awaited<ReturnType<Awaited<ReturnType<typeof emailsApi>>['staff']>>, 'get' | 'post'>;

/** Presses a button for many orders in a list, and opens the page of their batch. */
export async function makeBatch(
  { get, post }: Browser,
  action: string,
  fields: Parameters<typeof filledForm>[2] = {},
  page = ORDERS,
) {
  const form = filledForm((await get(page)).text, `${ORDERS}/batches/slips`, fields);
  const answer = await post(`${ORDERS}/batches/${action}`, form);
  return answer.location === null
    ? { path: '', ...answer }
    : { path: answer.location, ...(await get(answer.location)) };
}

/** A packer, an owner, and a customer who orders and pays. */
export async function packing(settings: Partial<Settings> = {}) {
  const api = await emailsApi(settings);
  const [packer, owner] = [await api.staff('packer'), await api.staff('owner')];
  const { token, email } = await api.customer('asha@example.com');

  const place = async (address: Partial<typeof ADDRESS> = {}, more: object = {}): Promise<string> =>
    (await api.placeOrder(token, { [MANGO]: 2 }, { shippingAddress: { ...ADDRESS, ...address }, ...more }))
      .id;

  /** Starts a payment by the first method. */
  const begin = async (orderId: string) => {
    const [method] = await paymentMethodsOf(api.services);
    await api.ask('/payments', { token, json: { orderId, fields: { method: method?.option } } });
  };
  const statuses = () => valuesOf(api.db, 'SELECT status FROM orders ORDER BY number');
  /** The word for the money of each order. */
  const payments = () => valuesOf(api.db, 'SELECT money FROM orders ORDER BY number');
  /** Runs the batches that were started until all are done, however slow the machine is. */
  const finish = async () => {
    const open = 'SELECT id FROM batches WHERE started_at IS NOT NULL AND ended_at IS NULL';
    while ((await valuesOf(api.db, open)).length > 0) await runBatches(api.services);
  };
  const log = () =>
    rowsOf(
      api.db,
      `SELECT who, action, target_id AS id, from_json AS "from", to_json AS "to" FROM admin_log
       WHERE target_type = 'order' ORDER BY number`,
    );

  /** Sends the form of an order that has a page of its own, such as 'cancel'. */
  const sendOf = (id: string, form: string, fields?: Parameters<typeof filledForm>[2]) =>
    owner.submit(`${ORDERS}/${id}/${form}`, `${ORDERS}/${id}/${form}`, fields);
  /** Presses a button on the page of an order. */
  const pressOf = (id: string, button: string, fields?: Parameters<typeof filledForm>[2]) =>
    owner.submit(`${ORDERS}/${id}`, `${ORDERS}/${id}/${button}`, fields);

  return {
    ...api,
    ...sandboxOf(api, token),
    packer,
    owner,
    token,
    email,
    place,
    begin,
    statuses,
    payments,
    finish,
    log,
    sendOf,
    pressOf,
  };
}

/** The same shop with an order, of two mangoes if nothing is given. */
export async function shopWithOrder(settings?: Partial<Settings>, products?: Record<string, number>) {
  const shop = await packing(settings);
  const { id, number, total } = await shop.placeOrder(shop.token, products);
  const page = `${ORDERS}/${id}`;
  /** The order as the customer gets it. */
  const current = async () =>
    (await shop.ordersOf(shop.token)).find((one) => one.id === id) ?? expect.fail('The order is not listed.');
  /** Presses a button on the page of the order. */
  const press = (button: string, fields?: Record<string, string>) => shop.pressOf(id, button, fields);
  /** Sends a form that has a page of its own. */
  const send = (form: string, fields?: Record<string, string>) => shop.sendOf(id, form, fields);
  /** The main text of a page that the owner opens. */
  const read = async (path = page) => mainText((await shop.owner.get(path)).text);
  /** Sends the emails that are due. @returns the subjects of all emails to the customer so far */
  const subjects = async (): Promise<string[]> => {
    await shop.sendDue();
    return shop.sentTo(shop.email).map(({ subject = '' }) => subject);
  };
  return { ...shop, id, number, total, page, current, press, send, read, subjects };
}
