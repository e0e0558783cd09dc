import * as v from 'valibot';
import { toRupees } from '#domain/money.ts';
import { SHIPPING_FIELDS, type ShippingAddress } from '#domain/order.ts';
import { isoTime } from './clock.ts';
import type { Database } from './db/database.ts';
import { orderProblem } from './http/refusal.ts';
import type { OrderRequest } from './routes/order-request.ts';
import { AddressSchema, type WireOrder } from './schema/orders.ts';
import type { Shop } from './shop.ts';

/** An order as stored; money in paise. */
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
type Item = v.InferOutput<typeof ItemRowSchema>;

const ProductRowSchema = v.object({ title: v.string(), unitPaise: v.number(), gone: v.number() });

const ORDER = `SELECT number, id, user_id AS userId, status, created_at AS createdAt, total_paise AS totalPaise, address
  FROM orders`;
const ITEM = `SELECT order_number AS orderNumber, product_id AS productId, title, quantity, unit_paise AS unitPaise
  FROM order_items`;

export const findOrder = (db: Database, id: string): StoredOrder | undefined =>
  db.get(OrderRowSchema, `${ORDER} WHERE id = ?`, id);

/** At most two: enough to see whether the start of a number names one. */
export const ordersStartingWith = (db: Database, start: string): StoredOrder[] =>
  db.all(OrderRowSchema, `${ORDER} WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2`, start);

/** Newest first. */
export const newestOrders = (db: Database, most: number): StoredOrder[] =>
  db.all(OrderRowSchema, `${ORDER} ORDER BY number DESC LIMIT ?`, most);

function wireOrder(order: StoredOrder, items: readonly Item[]): WireOrder {
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

/** An order as it travels (spec 3). */
export function withItems(db: Database, order: StoredOrder): WireOrder {
  return wireOrder(
    order,
    db.all(ItemRowSchema, `${ITEM} WHERE order_number = ? ORDER BY position`, order.number),
  );
}

/** A user's orders as they travel, newest first. */
export function ordersOf(db: Database, userId: string): WireOrder[] {
  const items = new Map<number, Item[]>();
  for (const item of db.all(
    ItemRowSchema,
    `${ITEM} JOIN orders ON orders.number = order_number WHERE user_id = ? ORDER BY order_number, position`,
    userId,
  )) {
    const list = items.get(item.orderNumber) ?? [];
    list.push(item);
    items.set(item.orderNumber, list);
  }
  return db
    .all(OrderRowSchema, `${ORDER} WHERE user_id = ? ORDER BY number DESC`, userId)
    .map((order) => wireOrder(order, items.get(order.number) ?? []));
}

/** The shop's own title and price for each product asked for. @throws Refusal 422 */
function priced(db: Database, products: OrderRequest['products']): Omit<Item, 'orderNumber'>[] {
  return products.map(([id, quantity]) => {
    const product = db.get(
      ProductRowSchema,
      'SELECT title, unit_paise AS unitPaise, gone FROM products WHERE id = ?',
      id,
    );
    if (!product)
      throw orderProblem('product_unknown', id.slice(0, 100), 'A product of this order is not known.');
    if (product.gone !== 0) {
      throw orderProblem(
        'product_gone',
        id,
        `${product.title} is no longer sold. Please remove it from your cart.`,
      );
    }
    if (product.unitPaise === 0) {
      throw orderProblem(
        'price_unavailable',
        id,
        `${product.title} has no price at the moment and cannot be ordered.`,
      );
    }
    return { productId: id, title: product.title, quantity, unitPaise: product.unitPaise };
  });
}

/** In BigInt, so that no sum can wrap on its way to the check (faults 69). @throws Refusal 422 */
function totalOf(items: readonly Pick<Item, 'quantity' | 'unitPaise'>[]): number {
  const total = items.reduce(
    (sum, { quantity, unitPaise }) => sum + BigInt(quantity) * BigInt(unitPaise),
    0n,
  );
  if (total > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw orderProblem('total_too_large', 'products', 'The total of this order is too large.');
  }
  return Number(total);
}

/** Stores an order at the catalogue's prices. Only inside `write`. @throws Refusal 422 */
export function placeOrder({ db, clock, ids }: Shop, userId: string, request: OrderRequest): WireOrder {
  const items = priced(db, request.products);
  const order = {
    id: ids.order(),
    userId,
    status: 0,
    createdAt: clock(),
    totalPaise: totalOf(items),
    address: request.shippingAddress,
  };
  const { lastRowid: number } = db.run(
    'INSERT INTO orders (id, user_id, status, created_at, total_paise, address, lines) VALUES (?, ?, ?, ?, ?, ?, ?)',
    order.id,
    userId,
    order.status,
    order.createdAt,
    order.totalPaise,
    JSON.stringify(order.address, [...SHIPPING_FIELDS]),
    request.lines ? JSON.stringify(request.lines) : null,
  );
  for (const [position, item] of items.entries()) {
    db.run(
      'INSERT INTO order_items VALUES (?, ?, ?, ?, ?, ?)',
      number,
      position,
      item.productId,
      item.title,
      item.quantity,
      item.unitPaise,
    );
  }
  return wireOrder(
    { ...order, number },
    items.map((item) => ({ ...item, orderNumber: number })),
  );
}
