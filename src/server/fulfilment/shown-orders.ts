import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'hono';
import { languageOf } from '#domain/language.ts';
import { orderIdIn } from '#domain/order-number.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared } from '#server/db/query.ts';
import { orderNotFound } from '#server/http/refusal.ts';
import { moneyDtos } from '#server/ledger/wire.ts';
import { extrasOf, shownExtras } from '#server/orders/order-extras.ts';
import type { OrderDto } from '#server/orders/schema.ts';
import {
  findOrder,
  itemsOf,
  lockOrder,
  ORDER,
  ORDER_JSON,
  type StoredOrder,
  toOrderDto,
} from '#server/orders/stored-orders.ts';
import { paymentsUnderWay } from '#server/payments/stored-attempts.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Env, Services } from '#server/services/services.ts';
import { returnsOf, returnUntil, toReturnDtos } from './returns/stored-returns.ts';

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
  const money = await moneyDtos(db, orders);
  const underWay = await paymentsUnderWay(db, numbers);
  const returns = Map.groupBy(await returnsOf(db, numbers), ({ orderNumber }) => orderNumber);
  return orders.map((order) => {
    const startedAt = underWay.get(order.number);
    const shown = shownExtras(extras.get(order.number), 'customer', languageOf(order.language));
    return {
      ...toOrderDto(order, items.get(order.number) ?? []),
      extras: shown.length > 0 ? shown : undefined,
      paymentStartedAt: startedAt === undefined ? undefined : isoTime(startedAt),
      ...money.get(order.number),
      returns: toReturnDtos(returns.get(order.number)),
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

/** Lets customers change an order of their own. Returns it as the API sends it now. @throws Refusal 404 */
export async function changeOwnOrder(
  context: Context<Env>,
  services: Services,
  change: (transaction: Transaction, order: StoredOrder) => Promise<void>,
): Promise<OrderDto> {
  const id = orderIdIn(context.req.param('id') ?? '') ?? '';
  await services.db.write(async (transaction) => {
    const order = await lockOrder(transaction, id);
    if (!order || order.customerId !== context.get('customer').id) throw orderNotFound();
    await change(transaction, order);
  });
  return readOrderDto(services.db, id, (order) => returnUntil(order, services.clock()));
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
  const now = services.clock();
  const sent: string[] = [];
  for (let from = 0; from < orders.length; from += ORDERS_PER_BATCH) {
    if (from > 0) await turn();
    const ready = await toOrderDtos(db, orders.slice(from, from + ORDERS_PER_BATCH), (order) =>
      returnUntil(order, now),
    );
    sent.push(...ready.map((order) => JSON.stringify(order)));
  }
  return { orders: sent, last: found.length > orders.length ? orders.at(-1)?.id : undefined };
}
