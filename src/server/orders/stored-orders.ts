import { sql, type Updateable } from 'kysely';
import * as v from 'valibot';
import { carrierName, isCarrierKey, trackingUrl } from '#domain/carrier.ts';
import { searchText } from '#domain/fold-text.ts';
import { type Language, languageOf } from '#domain/language.ts';
import { toRupees } from '#domain/money.ts';
import { AMOUNT_IDS } from '#domain/order-amounts.ts';
import { BEFORE_FIRST_ORDER } from '#domain/order-number.ts';
import { CANCELLABLE, NEW_ORDER } from '#domain/order-status.ts';
import { addressKey, phoneKeys } from '#domain/same-customer.ts';
import { ADDRESS_FIELD_NAMES } from '#domain/shipping-address.ts';
import { tidyCode } from '#domain/text.ts';
import { hasEnded, STAFF_STATUSES } from '#server/admin/order-status.ts';
import { appended, appendedTo, json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isoTime } from '#server/process/clock.ts';
import { takeAgain } from '#server/stock/stored-stock.ts';
import { type OrderDto, StoredAddressSchema } from './schema.ts';

/** Why a parcel came back (RTO, return to origin). The keys are stored; the API sends the texts in the language of the order. */
export const RTO_REASONS = {
  refused: { en: 'it was refused', hi: 'लेने से मना किया गया' },
  not_found: { en: 'the address was not found', hi: 'पता नहीं मिला' },
  damaged: { en: 'it was damaged', hi: 'वह खराब हो गया था' },
} as const satisfies Record<string, Record<Language, string>>;

export type RtoReason = keyof typeof RTO_REASONS;

const isRtoReason = (name: string): name is RtoReason => Object.hasOwn(RTO_REASONS, name);
export const RTO_REASON_NAMES = Object.keys(RTO_REASONS).filter(isRtoReason);

const CAME = { en: 'came back', hi: 'पार्सल वापस आया' };

const LOST = { en: 'the carrier lost the parcel', hi: 'कूरियर से पार्सल खो गया' };

/** What an event adds to its status in the API. */
function eventNote({ status, why }: StoredOrder['events'][number], language: Language): string | undefined {
  if (status === STAFF_STATUSES.lost.code) return LOST[language];
  return why && `${CAME[language]}: ${RTO_REASONS[why][language]}`;
}

/** The status in the API, which has 0 to 4. */
export const apiStatus = (status: number): number =>
  hasEnded(status) ? STAFF_STATUSES.cancelled.code : status;

/** The statuses in which an order can be cancelled, by their codes. */
export const OPEN = CANCELLABLE.map((name) => STAFF_STATUSES[name].code);

/** The number for people, as `shownNumber` of the domain returns it. */
export const SHOWN_NUMBER =
  sql<string>`orders.prefix || (orders.number + ${sql.lit(BEFORE_FIRST_ORDER)}) || '-' || orders.suffix`.as(
    'shownNumber',
  );

/** To add a column, add it here, to the tables and to `createOrder`. */
export const ORDER = q
  .selectFrom('orders')
  .select(['number', 'id', 'customerId', 'contactEmail', 'status', 'createdAt', 'language', 'printedAt'])
  .select(['totalPaise', 'amounts', 'address', 'tracking', 'carrier', 'parcels', 'events', 'paidAtDoor'])
  .select(['receivedPaise', 'returnedPaise', 'refundingPaise', 'disputedPaise', 'adjustedPaise'])
  .select(['keptPaise', 'heldPaise', 'owedPaise', 'toRefundPaise', 'toPayPaise', 'money'])
  .select(SHOWN_NUMBER);

export const ORDER_JSON = {
  amounts: json(
    v.array(v.object({ id: v.optional(v.picklist(AMOUNT_IDS)), name: v.string(), paise: v.number() })),
  ),
  address: json(StoredAddressSchema),
  parcels: appendedTo(v.object({ tracking: v.string(), carrier: v.string(), at: v.number() })),
  /** When it reached each status after the first, and by whose transition. It keeps the terms of its delivery. */
  events: appendedTo(
    v.object({
      status: v.number(),
      at: v.number(),
      by: v.optional(v.picklist(['staff', 'customer'])),
      terms: v.optional(v.object({ returnDays: v.number(), refundDays: v.number() })),
      why: v.optional(v.picklist(RTO_REASON_NAMES)),
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
export const optionsText = ({ size, color }: Pick<OrderItemRow, 'size' | 'color'>): string =>
  [size, color].filter(Boolean).join(', ');

const BY_ID = prepared(({ id }: { id: string }) => ORDER.where('id', '=', id));

export const findOrder = (db: Reader, id: string): Promise<StoredOrder | undefined> =>
  db.row(BY_ID({ id }), ORDER_JSON);

const LOCKED = prepared(({ id }: { id: string }) => ORDER.where('id', '=', id).forNoKeyUpdate());

/** Locks the order until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: string): Promise<StoredOrder | undefined> =>
  transaction.row(LOCKED({ id }), ORDER_JSON);

const NEWEST_PAYABLE = prepared(({ customerId }: { customerId: string }) =>
  ORDER.where('customerId', '=', customerId)
    .where('toPayPaise', '>', 0)
    .where('paidAtDoor', '=', 0)
    .orderBy('number', 'desc')
    .limit(1),
);

/** The newest order of a customer that can still be paid. */
export const newestPayable = (db: Reader, customerId: string): Promise<StoredOrder | undefined> =>
  db.row(NEWEST_PAYABLE({ customerId }), ORDER_JSON);

/** In no particular order. */
export const ordersByNumber = (db: Reader, numbers: readonly number[]): Promise<StoredOrder[]> =>
  db.rows(ORDER.where('number', 'in', numbers), ORDER_JSON);

const withoutSigns = (text: string): string => tidyCode(text).replaceAll(/[\s()+.-]/g, '');

/** The columns of an address: its JSON, and what the admin searches. */
export const addressColumns = (address: StoredOrder['address']) => ({
  address: JSON.stringify(address, [...ADDRESS_FIELD_NAMES]),
  recipient: searchText(address.fullName),
  phone: phoneKeys(address.phone)[0] ?? '',
  postalCode: withoutSigns(address.postalCode),
  addressKey: addressKey(address),
});

type OrderChange = Omit<Updateable<Tables['orders']>, 'address' | 'parcels'> &
  Partial<Pick<StoredOrder, 'address' | 'parcels'>>;

export const updateOrder = (
  transaction: Transaction,
  number: number,
  { address, parcels, ...columns }: OrderChange,
): Promise<number> =>
  transaction.run(
    q
      .updateTable('orders')
      .set({ ...columns, ...(address && addressColumns(address)) })
      .set(parcels ? { parcels: parcels.map(appended).join('') } : {})
      .where('number', '=', number),
  );

/** Notes when slips were first shown. A cancelled order is not noted: only slips from before its end are to be stopped. */
export const setPrinted = (transaction: Transaction, numbers: readonly number[], now: number) =>
  transaction.run(
    q
      .updateTable('orders')
      .set({ printedAt: now })
      .where('number', 'in', numbers)
      .where('status', 'in', OPEN)
      .where('printedAt', 'is', null),
  );

const SET_STATUS = prepared(({ number, status, event }: { number: number; status: number; event: string }) =>
  q
    .updateTable('orders')
    .set({ status, events: sql`events || ${event}` })
    .where('number', '=', number),
);

/**
 * Sets the status, and appends it to the events.
 * @param now ms since 1970
 * @param more of the event
 */
export const setStatus = (
  transaction: Transaction,
  number: number,
  status: number,
  now: number,
  more: Omit<StoredOrder['events'][number], 'status' | 'at'> = {},
): Promise<number> =>
  transaction.run(SET_STATUS({ number, status, event: appended({ status, at: now, ...more }) }));

/**
 * Removes the last event, and returns the status before it. Goods that were given back are taken again.
 * @throws Refusal 409 if too few are left
 */
export async function takeStatusBack(
  transaction: Transaction,
  { number, events }: StoredOrder,
): Promise<number> {
  const missing = await takeAgain(transaction, number);
  if (missing) {
    const items = (await itemsOf(transaction, [number])).get(number) ?? [];
    const title = items.find(({ productId }) => productId === missing.productId)?.title;
    const name = [title, missing.size].filter(Boolean).join(', ');
    throw new Refusal(409, `“${name}” was sold meanwhile: too few are left for this order.`);
  }
  const status = events.at(-2)?.status ?? NEW_ORDER;
  await updateOrder(transaction, number, { status, events: events.slice(0, -1).map(appended).join('') });
  return status;
}

/** Has a link if the carrier is known. */
export function toTrackingDto({ tracking, carrier }: Pick<StoredOrder, 'tracking' | 'carrier'>) {
  if (!tracking) return undefined;
  return {
    carrier: carrierName(carrier),
    number: tracking,
    url: carrier !== null && isCarrierKey(carrier) ? trackingUrl(carrier, tracking) : undefined,
  };
}

type ShownOrder = Pick<
  StoredOrder,
  'id' | 'shownNumber' | 'status' | 'createdAt' | 'address' | 'amounts' | 'totalPaise' | 'language'
> &
  Pick<StoredOrder, 'tracking' | 'carrier' | 'parcels' | 'events'>;

/** All parcels that have left, the newest last; undefined while one parcel has all of the order. */
export function toParcelDtos({
  parcels,
  tracking,
  carrier,
}: Pick<StoredOrder, 'tracking' | 'carrier' | 'parcels'>) {
  if (parcels.length === 0) return undefined;
  const isListed = parcels.some((parcel) => parcel.tracking === tracking);
  return [...parcels, ...(isListed ? [] : [{ tracking, carrier }])].flatMap(
    (each) => toTrackingDto(each) ?? [],
  );
}

export function toOrderDto(order: ShownOrder, items: readonly Omit<OrderItemRow, 'orderNumber'>[]): OrderDto {
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
    parcels: toParcelDtos(order),
    events: [
      { status: NEW_ORDER, at: isoTime(order.createdAt) },
      ...order.events.map((event) => ({
        status: apiStatus(event.status),
        at: isoTime(event.at),
        note: eventNote(event, languageOf(order.language)),
      })),
    ],
  };
}
