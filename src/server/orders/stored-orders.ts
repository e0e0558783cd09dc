import { setImmediate as turn } from 'node:timers/promises';
import * as v from 'valibot';
import { carrierName, isCarrierKey, trackingUrl } from '#domain/carrier.ts';
import { toRupees } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/new-order.ts';
import { appendedTo, columnsOf } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { refundDtos } from '#server/payments/refund-dtos.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { readReturnUntil, returnsOf, toReturnDto } from './returns/stored-returns.ts';
import { type OrderDto, StoredAddressSchema } from './schema.ts';

const parsed = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

const AmountLinesSchema = v.array(v.object({ name: v.string(), paise: v.number() }));

/** The columns of an order. To add one, add a line here and one in `createOrder`. */
export const ORDER_ROW = {
  /** Sequential, for paging. Never shown. */
  number: v.number(),
  id: v.string(),
  customerId: v.string(),
  status: v.number(),
  /** ms since 1970 */
  createdAt: v.number(),
  totalPaise: v.number(),
  amounts: parsed(AmountLinesSchema),
  address: parsed(StoredAddressSchema),
  tracking: v.nullable(v.string()),
  /** As `storedCarrier` returns it; null if none was entered. */
  carrier: v.nullable(v.string()),
  /** When it reached each status after the first. */
  events: appendedTo(v.object({ status: v.number(), at: v.number() })),
  /** The language of the storefront when the order was placed. */
  language: v.nullable(v.string()),
  /** From the payment form; null if not entered. */
  courierNote: v.nullable(v.string()),
  gstin: v.nullable(v.string()),
};

const OrderRowSchema = v.object(ORDER_ROW);

export type StoredOrder = v.InferOutput<typeof OrderRowSchema>;

const ITEM_ROW = {
  orderNumber: v.number(),
  productId: v.string(),
  title: v.string(),
  quantity: v.number(),
  unitPaise: v.number(),
};

const ItemRowSchema = v.object(ITEM_ROW);

export type OrderItemRow = v.InferOutput<typeof ItemRowSchema>;

const ORDER = `SELECT ${columnsOf(ORDER_ROW)} FROM orders`;

const ITEM = `SELECT ${columnsOf(ITEM_ROW)} FROM order_items`;

export const findOrder = (db: Reader, id: string): Promise<StoredOrder | undefined> =>
  db.get(OrderRowSchema, `${ORDER} WHERE id = ?`, id);

/** Locks the order until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: string): Promise<StoredOrder | undefined> =>
  transaction.get(OrderRowSchema, `${ORDER} WHERE id = ? FOR NO KEY UPDATE`, id);

/** In no particular order. */
export const ordersByNumber = (db: Reader, numbers: readonly number[]): Promise<StoredOrder[]> =>
  numbers.length === 0
    ? Promise.resolve([])
    : db.all(OrderRowSchema, `${ORDER} WHERE number IN (${numbers.map(() => '?').join()})`, ...numbers);

/** An empty text clears the value. */
export const setTracking = (
  transaction: Transaction,
  number: number,
  { tracking, carrier }: { readonly tracking: string; readonly carrier: string },
): Promise<number> =>
  transaction.run(
    'UPDATE orders SET tracking = ?, carrier = ? WHERE number = ?',
    tracking || null,
    carrier || null,
    number,
  );

/** Has a link if the carrier is known. */
export function toTrackingDto({ tracking, carrier }: Pick<StoredOrder, 'tracking' | 'carrier'>) {
  if (!tracking) return undefined;
  return {
    carrier: carrierName(carrier),
    number: tracking,
    ...(carrier !== null && isCarrierKey(carrier) ? { url: trackingUrl(carrier, tracking) } : {}),
  };
}

export function toOrderDto(
  order: Omit<StoredOrder, 'courierNote' | 'gstin'>,
  items: readonly Omit<OrderItemRow, 'orderNumber'>[],
): OrderDto {
  const parcel = toTrackingDto(order);
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
    amounts: order.amounts.map(({ name, paise }) => ({ name, amount: toRupees(paise) })),
    total: toRupees(order.totalPaise),
    ...(parcel ? { tracking: parcel } : {}),
    events: [{ status: NEW_ORDER, at: order.createdAt }, ...order.events].map(({ status, at }) => ({
      status,
      at: isoTime(at),
    })),
  };
}

/**
 * Reads the items, refunds and returns of the orders.
 * @param own returns the fields that only the order's own customer gets
 */
export async function toOrderDtos(
  db: Reader,
  orders: readonly StoredOrder[],
  own: (order: StoredOrder) => Partial<OrderDto> = () => ({}),
): Promise<OrderDto[]> {
  const numbers = orders.map(({ number }) => number);
  const items = await db.all(
    ItemRowSchema,
    `${ITEM} WHERE order_number IN (${numbers.map(() => '?').join()}) ORDER BY order_number, position`,
    ...numbers,
  );
  const ofOrder = Map.groupBy(items, ({ orderNumber }) => orderNumber);
  const refunds = await refundDtos(db, numbers);
  const returns = Map.groupBy(await returnsOf(db, numbers), ({ orderNumber }) => orderNumber);
  return orders.map((order) => {
    const orderRefunds = refunds.get(order.number);
    const orderReturns = returns.get(order.number);
    return {
      ...toOrderDto(order, ofOrder.get(order.number) ?? []),
      ...(orderRefunds ? { refunds: [...orderRefunds] } : {}),
      ...(orderReturns ? { returns: orderReturns.map(toReturnDto) } : {}),
      ...own(order),
    };
  });
}

/** How many orders are read before the event loop serves other requests. */
const ORDERS_PER_BATCH = 20;

export interface OrdersPage {
  /** JSON texts, newest first. */
  readonly orders: string[];
  /** The id of the last order if older ones follow. */
  readonly last: string | undefined;
}

/** @param after the id of the order after which the page begins */
export async function ordersAsJson(
  services: Services,
  customerId: string,
  after: string | undefined,
): Promise<OrdersPage> {
  const { db, settings } = services;
  const most = settings.orders.listed;
  const older =
    after === undefined ? '' : 'AND number < (SELECT number FROM orders WHERE customer_id = ? AND id = ?)';
  const found = await db.all(
    OrderRowSchema,
    `${ORDER} WHERE customer_id = ? ${older} ORDER BY number DESC LIMIT ?`,
    customerId,
    ...(after === undefined ? [] : [customerId, after]),
    most + 1,
  );
  const orders = found.slice(0, most);
  const returnUntil = await readReturnUntil(services);
  const sent: string[] = [];
  while (sent.length < orders.length) {
    if (sent.length > 0) await turn();
    const ready = await toOrderDtos(
      db,
      orders.slice(sent.length, sent.length + ORDERS_PER_BATCH),
      returnUntil,
    );
    sent.push(...ready.map((order) => JSON.stringify(order)));
  }
  return { orders: sent, last: found.length > most ? orders.at(-1)?.id : undefined };
}
