import { setImmediate as turn } from 'node:timers/promises';
import * as v from 'valibot';
import { toRupees } from '#domain/money.ts';
import type { ShippingAddress } from '#domain/order.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { AddressSchema, type WireOrder } from './schema.ts';

/** An order as it is stored. Its total is in paise. */
export interface StoredOrder {
  readonly number: number;
  readonly id: string;
  readonly userId: string;
  readonly status: number;
  readonly createdAt: number;
  readonly totalPaise: number;
  readonly address: ShippingAddress;
}

const OrderRowSchema = v.object({
  number: v.number(),
  id: v.string(),
  userId: v.string(),
  status: v.number(),
  createdAt: v.number(),
  totalPaise: v.number(),
  address: v.pipe(v.string(), v.parseJson(), AddressSchema),
});

const ItemRowSchema = v.object({
  orderNumber: v.number(),
  productId: v.string(),
  title: v.string(),
  quantity: v.number(),
  unitPaise: v.number(),
});

export type OrderItemRow = v.InferOutput<typeof ItemRowSchema>;

const ORDER = `SELECT number, id, user_id AS "userId", status, created_at AS "createdAt", total_paise AS "totalPaise",
  address FROM orders`;

const ITEM = `SELECT order_number AS "orderNumber", product_id AS "productId", title, quantity, unit_paise AS "unitPaise"
  FROM order_items`;

export const findOrder = (db: Reader, id: string): Promise<StoredOrder | undefined> =>
  db.get(OrderRowSchema, `${ORDER} WHERE id = ?`, id);

/** The same, and nobody else changes it until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: string): Promise<StoredOrder | undefined> =>
  transaction.get(OrderRowSchema, `${ORDER} WHERE id = ? FOR NO KEY UPDATE`, id);

/** Finds at most two, which is enough to see whether the start of a number names a single order. */
export const ordersStartingWith = (db: Reader, start: string): Promise<StoredOrder[]> =>
  db.all(OrderRowSchema, `${ORDER} WHERE substr(id, 1, ?) = ? LIMIT 2`, start.length, start);

/** Newest first. */
export const newestOrders = (db: Reader, most: number): Promise<StoredOrder[]> =>
  db.all(OrderRowSchema, `${ORDER} ORDER BY number DESC LIMIT ?`, most);

/** The order in the form in which the API sends it (spec 3). */
export function wireOrder(order: StoredOrder, items: readonly OrderItemRow[]): WireOrder {
  return {
    id: order.id,
    status: order.status,
    createdAt: isoTime(order.createdAt),
    items: items.map(({ productId, title, quantity, unitPaise }) => ({
      id: productId,
      productTitle: title,
      quantity,
      price: toRupees(unitPaise),
    })),
    shippingAddress: order.address,
    total: toRupees(order.totalPaise),
  };
}

/** The orders in the form in which the API sends them, with their items read from the database. */
export async function withItems(db: Reader, orders: readonly StoredOrder[]): Promise<WireOrder[]> {
  const numbers = orders.map(({ number }) => number);
  const items = await db.all(
    ItemRowSchema,
    `${ITEM} WHERE order_number IN (${numbers.map(() => '?').join()}) ORDER BY order_number, position`,
    ...numbers,
  );
  const ofOrder = Map.groupBy(items, ({ orderNumber }) => orderNumber);
  return orders.map((order) => wireOrder(order, ofOrder.get(order.number) ?? []));
}

/** How many orders are read before other requests get a turn of the event loop. */
const ORDERS_A_TURN = 20;

/** A user's newest orders, each as the JSON that the API sends, newest first. */
export async function ordersOf(db: Reader, userId: string, most: number): Promise<string[]> {
  const orders = await db.all(
    OrderRowSchema,
    `${ORDER} WHERE user_id = ? ORDER BY number DESC LIMIT ?`,
    userId,
    most,
  );
  const sent: string[] = [];
  while (sent.length < orders.length) {
    if (sent.length > 0) await turn();
    const wire = await withItems(db, orders.slice(sent.length, sent.length + ORDERS_A_TURN));
    sent.push(...wire.map((order) => JSON.stringify(order)));
  }
  return sent;
}
