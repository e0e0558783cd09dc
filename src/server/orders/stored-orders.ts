import { setImmediate as turn } from 'node:timers/promises';
import * as v from 'valibot';
import { carrierName, isCarrierKey, trackingUrl } from '#domain/carrier.ts';
import { searchText } from '#domain/fold-text.ts';
import { type Language, languageOf } from '#domain/language.ts';
import { toRupees } from '#domain/money.ts';
import { AMOUNT_IDS } from '#domain/order-amounts.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { tidyCode } from '#domain/text.ts';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import { appended, appendedTo, json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import { orderNotFound } from '#server/http/refusal.ts';
import { extrasOf, shownExtras } from '#server/payments/order-extras.ts';
import { SHOWN_NUMBER } from '#server/payments/payable.ts';
import { paymentsUnderWay } from '#server/payments/stored-payments.ts';
import { refundDtos } from '#server/payments/stored-refunds.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { readReturnUntil, returnsOf } from './returns/stored-returns.ts';
import { type OrderDto, StoredAddressSchema } from './schema.ts';

/** Why a parcel came back. The keys are stored; the API sends the texts in the language of the order. */
export const CAME_BACK = {
  refused: { en: 'it was refused', hi: 'लेने से मना किया गया' },
  not_found: { en: 'the address was not found', hi: 'पता नहीं मिला' },
  damaged: { en: 'it was damaged', hi: 'वह खराब हो गया था' },
} as const satisfies Record<string, Record<Language, string>>;

export type CameBack = keyof typeof CAME_BACK;

const CAME = { en: 'came back', hi: 'पार्सल वापस आया' };

const cameBackText = (why: CameBack, language: Language): string =>
  `${CAME[language]}: ${CAME_BACK[why][language]}`;

/** The status in the API, which has 0 to 4. */
export const apiStatus = (status: number): number =>
  status === STAFF_STATUSES.cameBack.code ? STAFF_STATUSES.cancelled.code : status;

/** To add a column, add it here, to the tables and to `createOrder`. */
export const ORDER = q
  .selectFrom('orders')
  .select(['number', 'id', 'customerId', 'status', 'createdAt', 'totalPaise', 'amounts', 'address'])
  .select(['tracking', 'carrier', 'events', 'language'])
  .select(SHOWN_NUMBER);

export const ORDER_JSON = {
  amounts: json(
    v.array(v.object({ id: v.optional(v.picklist(AMOUNT_IDS)), name: v.string(), paise: v.number() })),
  ),
  address: json(StoredAddressSchema),
  /** When it reached each status after the first, and by which of the staff's transitions. */
  events: appendedTo(
    v.object({
      status: v.number(),
      at: v.number(),
      by: v.optional(v.literal('staff')),
      why: v.optional(v.picklist(['refused', 'not_found', 'damaged'])),
    }),
  ),
};

export type StoredOrder = RowOf<typeof ORDER, typeof ORDER_JSON>;

const ITEM = q
  .selectFrom('orderItems')
  .select(['orderNumber', 'position', 'productId', 'title', 'size', 'color', 'quantity', 'unitPaise']);

export type OrderItemRow = RowOf<typeof ITEM>;

const ITEMS_OF = prepared(({ numbers }: { numbers: readonly number[] }) =>
  ITEM.where('orderNumber', 'in', numbers).orderBy('orderNumber').orderBy('position'),
);

/** Items by order number. */
export const itemsOf = async (
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly OrderItemRow[]>> =>
  Map.groupBy(await db.rows(ITEMS_OF({ numbers })), ({ orderNumber }) => orderNumber);

/** Size and colour, such as 'M, red', or ''. */
export const optionsText = ({ size, color }: OrderItemRow): string =>
  [size, color].filter(Boolean).join(', ');

const BY_ID = prepared(({ id }: { id: string }) => ORDER.where('id', '=', id));

export const findOrder = (db: Reader, id: string): Promise<StoredOrder | undefined> =>
  db.row(BY_ID({ id }), ORDER_JSON);

const LOCKED = prepared(({ id }: { id: string }) => ORDER.where('id', '=', id).forNoKeyUpdate());

/** Locks the order until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: string): Promise<StoredOrder | undefined> =>
  transaction.row(LOCKED({ id }), ORDER_JSON);

/** In no particular order. */
export const ordersByNumber = (db: Reader, numbers: readonly number[]): Promise<StoredOrder[]> =>
  db.rows(ORDER.where('number', 'in', numbers), ORDER_JSON);

const withoutSigns = (text: string): string => tidyCode(text).replaceAll(/[\s()+.-]/g, '');

/** The columns of an address: its JSON, and what the admin searches. */
export const addressColumns = (address: StoredOrder['address']) => ({
  address: JSON.stringify(address, [...SHIPPING_FIELDS]),
  recipient: searchText(address.fullName),
  phone: withoutSigns(address.phone).slice(-10),
  postalCode: withoutSigns(address.postalCode),
});

type OrderChange = Partial<Pick<StoredOrder, 'status' | 'tracking' | 'carrier' | 'address' | 'events'>>;

export const updateOrder = (
  transaction: Transaction,
  number: number,
  { address, events, ...columns }: OrderChange,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('orders')
      .set({ ...columns, ...(address && addressColumns(address)) })
      .set(events ? { events: events.map(appended).join('') } : {})
      .where('number', '=', number),
  );

/** Has a link if the carrier is known. */
export function toTrackingDto({ tracking, carrier }: Pick<StoredOrder, 'tracking' | 'carrier'>) {
  if (!tracking) return undefined;
  return {
    carrier: carrierName(carrier),
    number: tracking,
    url: carrier !== null && isCarrierKey(carrier) ? trackingUrl(carrier, tracking) : undefined,
  };
}

export function toOrderDto(
  order: StoredOrder,
  items: readonly Omit<OrderItemRow, 'orderNumber'>[],
): OrderDto {
  return {
    id: order.id,
    number: order.shownNumber,
    status: apiStatus(order.status),
    createdAt: isoTime(order.createdAt),
    items: items.map(({ position, productId, title, size, color, quantity, unitPaise }) => ({
      id: productId,
      line: String(position),
      productTitle: title,
      quantity,
      price: toRupees(unitPaise),
      selectedSize: size ?? undefined,
      selectedColor: color ?? undefined,
    })),
    shippingAddress: order.address,
    amounts: order.amounts.map(({ paise, ...line }) => ({ ...line, amount: toRupees(paise) })),
    total: toRupees(order.totalPaise),
    tracking: toTrackingDto(order),
    events: [
      { status: NEW_ORDER, at: isoTime(order.createdAt) },
      ...order.events.map(({ status, at, why }) => ({
        status: apiStatus(status),
        at: isoTime(at),
        note: why && cameBackText(why, languageOf(order.language)),
      })),
    ],
  };
}

/**
 * Reads the items, extras, refunds and returns of the orders.
 * @param own returns the fields that only the order's own customer gets
 */
export async function toOrderDtos(
  db: Reader,
  orders: readonly StoredOrder[],
  own: (order: StoredOrder) => Partial<OrderDto> = () => ({}),
): Promise<OrderDto[]> {
  const numbers = orders.map(({ number }) => number);
  const items = await itemsOf(db, numbers);
  const extras = await extrasOf(db, numbers);
  const refunds = await refundDtos(db, numbers);
  const underWay = await paymentsUnderWay(db, numbers);
  const returns = Map.groupBy(await returnsOf(db, numbers), ({ orderNumber }) => orderNumber);
  return orders.map((order) => {
    const startedAt = underWay.get(order.number);
    const shown = shownExtras(extras.get(order.number), 'customer', languageOf(order.language));
    return {
      ...toOrderDto(order, items.get(order.number) ?? []),
      extras: shown.length > 0 ? shown : undefined,
      paymentStartedAt: startedAt === undefined ? undefined : isoTime(startedAt),
      refunds: refunds.get(order.number)?.slice(),
      returns: returns
        .get(order.number)
        ?.map(({ state, lines, reason, answer }) => ({ state, lines, reason, answer })),
      ...own(order),
    };
  });
}

/** The order as the API sends it now. @throws Refusal 404 */
export async function readOrderDto(
  db: Reader,
  id: string,
  own?: (order: StoredOrder) => Partial<OrderDto>,
): Promise<OrderDto> {
  const order = await findOrder(db, id);
  const [sent] = order ? await toOrderDtos(db, [order], own) : [];
  if (!sent) throw orderNotFound();
  return sent;
}

/** How many orders are read before the event loop serves other requests. */
const ORDERS_PER_BATCH = 20;

/** The lines of a page are at most this many times its orders, unless its first order alone has more. */
const LINES_PER_ORDER = 10;

const WITH_LINES = ORDER.select(({ selectFrom }) =>
  selectFrom('orderItems')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('orderNumber', '=', 'orders.number')
    .as('lines'),
);

const NEWEST = prepared(({ customerId, max }: { customerId: string; max: number }) =>
  WITH_LINES.where('customerId', '=', customerId).orderBy('number', 'desc').limit(max),
);

const OLDER = prepared(({ customerId, after, max }: { customerId: string; after: string; max: number }) => {
  const own = WITH_LINES.where('customerId', '=', customerId);
  const last = own.clearSelect().select('number').where('id', '=', after);
  return own.where('number', '<', last).orderBy('number', 'desc').limit(max);
});

/**
 * A page of orders as JSON texts, newest first, and the id of the last one if older ones follow.
 * @param after the id of the order after which the page begins
 */
export async function ordersAsJson(services: Services, customerId: string, after: string | undefined) {
  const { db, settings } = services;
  const max = settings.orders.listed;
  const own = { customerId, max: max + 1 };
  const found = await db.rows(after === undefined ? NEWEST(own) : OLDER({ ...own, after }), ORDER_JSON);
  let lines = 0;
  const orders = found.slice(0, max).filter((order, index) => {
    lines += order.lines ?? 0;
    return index === 0 || lines <= max * LINES_PER_ORDER;
  });
  const returnUntil = await readReturnUntil(services);
  const sent: string[] = [];
  for (let from = 0; from < orders.length; from += ORDERS_PER_BATCH) {
    if (from > 0) await turn();
    const ready = await toOrderDtos(db, orders.slice(from, from + ORDERS_PER_BATCH), returnUntil);
    sent.push(...ready.map((order) => JSON.stringify(order)));
  }
  return { orders: sent, last: found.length > orders.length ? orders.at(-1)?.id : undefined };
}
