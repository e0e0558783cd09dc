import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import * as v from 'valibot';
import { colorsOf, sizesOf } from '#domain/attributes.ts';
import { toHindi } from '#domain/buying/hindi.ts';
import { type Problem, problemsOf, sentenceOf } from '#domain/buying/rules.ts';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { amountsOf, subtotalOf } from '#domain/order-amounts.ts';
import { initialsOf, SUFFIX_LENGTH, SUFFIX_SIGNS, shownNumber } from '#domain/order-number.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { payableAt } from '#domain/sale.ts';
import { orderMeaning } from '#domain/same-order.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { orderProblem } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { storedTerms } from '#server/store/stored-store.ts';
import type { OrderDto, OrderRequest } from './schema.ts';
import { addressColumns, type OrderItemRow, toOrderDto } from './stored-orders.ts';

/** The last signs of an order's number: 20 random bits. */
const randomSuffix = (): string =>
  Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_SIGNS[randomInt(SUFFIX_SIGNS.length)]).join('');

const PRODUCTS = prepared(({ ids }: { ids: readonly string[] }) =>
  q.selectFrom('products').select(['id', 'discontinued', 'dto']).where('id', 'in', ids),
);

const PRODUCT_JSON = {
  dto: json(
    v.object({
      title: v.string(),
      regularPrice: v.number(),
      discountedPrice: v.nullable(v.number()),
      saleFrom: v.optional(v.string()),
      saleUntil: v.optional(v.string()),
      attributes: v.array(v.object({ key: v.string(), values: v.array(v.string()) })),
    }),
  ),
};

type Product = RowOf<ReturnType<typeof PRODUCTS>, typeof PRODUCT_JSON>;

type Line = NonNullable<OrderRequest['lines']>[number];

/** Returns the option if the product has it, null if it has no options of this kind. @throws Refusal 422 otherwise */
function knownOption(
  given: string | null | undefined,
  options: readonly string[],
  { id, dto: { title } }: Product,
): string | null {
  if (!given || options.length === 0) return null;
  if (options.includes(given)) return given;
  throw orderProblem('option_unknown', id, `${title} is not sold as ${given}. Please choose it anew.`);
}

/**
 * An item at its current price. Size and colour must be the product's, because the packing slip prints them.
 * @throws Refusal 422
 */
function pricedItem(product: Product | undefined, { id, quantity, ...chosen }: Line, now: number) {
  if (!product)
    throw orderProblem('product_unknown', id.slice(0, 100), 'A product of this order is not known.');
  const { dto } = product;
  const { title } = dto;
  if (product.discontinued !== 0)
    throw orderProblem('product_gone', id, `${title} is no longer sold. Please remove it from your cart.`);
  const unitPaise = payableAt(dto, now);
  if (unitPaise === 0)
    throw orderProblem('price_unavailable', id, `${title} has no price at the moment and cannot be ordered.`);
  const size = knownOption(chosen.selectedSize, sizesOf(dto.attributes), product);
  const color = knownOption(chosen.selectedColor, colorsOf(dto.attributes), product);
  return { productId: id, title, size, color, quantity, unitPaise };
}

/** @throws Refusal 422 with the first problem, in the language of the order */
function refuseProblems(
  [problem]: readonly Problem[],
  target: string,
  { language }: Pick<OrderRequest, 'language'>,
): void {
  if (!problem) return;
  const text = language === 'hi' ? sentenceOf(problem, toHindi) : sentenceOf(problem);
  throw orderProblem(problem.code, target, text);
}

const INSERT_ORDER = prepared((row: Insertable<Tables['orders']>) =>
  q.insertInto('orders').values(row).returning('number'),
);

const INSERT_ITEMS = prepared(({ rows }: { rows: readonly OrderItemRow[] }) =>
  q.insertInto('orderItems').values(rows),
);

/** Stores an order at the catalogue's prices. @throws Refusal 422 */
async function storeOrder(
  services: Services,
  transaction: Transaction,
  customerId: string,
  request: OrderRequest,
): Promise<OrderDto> {
  const { clock } = services;
  const createdAt = clock();
  const found = await transaction.rows(PRODUCTS({ ids: Object.keys(request.products) }), PRODUCT_JSON);
  const products = new Map(found.map((row) => [row.id, row]));
  const terms = await storedTerms(transaction);
  if (!terms) throw new Error('The database has no catalogue.');
  // Methods of payment are judged when one is chosen.
  const store = { ...terms, paymentMethods: [] };
  const ordered: readonly Line[] =
    request.lines ?? Object.entries(request.products).map(([id, quantity]) => ({ id, quantity }));
  const items = ordered.map((line, position) => ({
    position,
    ...pricedItem(products.get(line.id), line, createdAt),
  }));
  const sums = items.map(({ productId: id, unitPaise, quantity }) => ({
    id,
    price: toRupees(unitPaise),
    quantity,
  }));
  const { postalCode } = request.shippingAddress;
  const { lines, total } = amountsOf(sums, store.delivery, postalCode);
  if (!Number.isSafeInteger(total))
    throw orderProblem('total_too_large', 'products', 'The total of this order is too large.');
  const ordering = { store, items: sums, subtotal: subtotalOf(sums) };
  refuseProblems(problemsOf('order', ordering, createdAt), 'products', request);
  refuseProblems(problemsOf('place', { store, postalCode, total }, createdAt), 'postalCode', request);
  const { expectedTotal } = request;
  if (typeof expectedTotal === 'number' && total > toPaise(expectedTotal)) {
    const text = `This order costs ${formatPaise(total)} now. Please look at it again.`;
    throw orderProblem('total_changed', 'total', text, { total: toRupees(total) });
  }
  const named = {
    prefix: services.settings.orders.prefix ?? initialsOf(store.storeName),
    suffix: randomSuffix(),
  };
  const order = {
    id: randomUUID(),
    customerId,
    status: NEW_ORDER,
    createdAt,
    totalPaise: total,
    amounts: [...lines],
    address: request.shippingAddress,
    language: request.language ?? null,
  };
  const insert = INSERT_ORDER({
    ...order,
    ...named,
    amounts: JSON.stringify(order.amounts),
    ...addressColumns(order.address),
  });
  const [{ number }] = v.parse(v.tuple([v.object({ number: v.number() })]), await transaction.rows(insert));
  await transaction.run(INSERT_ITEMS({ rows: items.map((item) => ({ orderNumber: number, ...item })) }));
  const stored = { ...order, number, shownNumber: shownNumber({ ...named, count: number }) };
  const shown = toOrderDto({ ...stored, tracking: null, carrier: null, events: [] }, items);
  return { ...shown, paid: 0, due: toRupees(total), payOnDelivery: false };
}

const orderHash = ({ products, shippingAddress, lines }: OrderRequest): string =>
  createHash('sha256')
    .update(orderMeaning(products, shippingAddress, lines))
    .digest('base64url');

const INSERT_KEY = prepared((row: Insertable<Tables['orderKeys']>) => q.insertInto('orderKeys').values(row));

const SAME_KEY = prepared(({ customerId, key }: { customerId: string; key: string }) =>
  q
    .selectFrom('orderKeys')
    .select(['bodyHash', 'answer'])
    .where('customerId', '=', customerId)
    .where('key', '=', key),
);

/** Returns the JSON of the order that this Idempotency-Key has placed; undefined if it is new. @throws Refusal 422 */
export async function repeatedAnswer(
  db: Reader,
  customerId: string,
  key: string | undefined,
  request: OrderRequest,
): Promise<string | undefined> {
  const bodyHash = orderHash(request);
  const known = key === undefined ? undefined : await db.row(SAME_KEY({ customerId, key }));
  if (known && known.bodyHash !== bodyHash) {
    const text = 'This attempt was already made with another order.';
    throw orderProblem('idempotency_mismatch', 'Idempotency-Key', text);
  }
  return known?.answer;
}

/**
 * Creates the order unless one exists for this Idempotency-Key. Returns its JSON, the same for every repeated request, and
 * its id if it is new. @throws Refusal 422
 */
export async function createOrder(
  services: Services,
  transaction: Transaction,
  customerId: string,
  key: string | undefined,
  request: OrderRequest,
) {
  const known = await repeatedAnswer(transaction, customerId, key, request);
  if (known !== undefined) return { answer: known, newId: undefined };
  const order = await storeOrder(services, transaction, customerId, request);
  const answer = JSON.stringify(order);
  const createdAt = services.clock();
  const bodyHash = orderHash(request);
  if (key !== undefined) await transaction.run(INSERT_KEY({ customerId, key, bodyHash, answer, createdAt }));
  return { answer, newId: order.id };
}
