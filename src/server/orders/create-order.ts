import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import * as v from 'valibot';
import { colorsOf, sizesOf } from '#domain/attributes.ts';
import { lineFacts, type PaymentKind } from '#domain/buying/facts.ts';
import { toHindi } from '#domain/buying/hindi.ts';
import { type Problem, problemsOf, sentenceOf } from '#domain/buying/rules.ts';
import { type Language, languageOf } from '#domain/language.ts';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { amountsOf, subtotalOf } from '#domain/order-amounts.ts';
import { initialsOf, SUFFIX_LENGTH, SUFFIX_SIGNS, shownNumber } from '#domain/order-number.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { payableAt } from '#domain/sale.ts';
import { orderMeaning } from '#domain/same-order.ts';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { orderProblem } from '#server/http/refusal.ts';
import { paymentKindsOf } from '#server/services/capabilities.ts';
import type { Services } from '#server/services/services.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import { shownUpTo, stockFacts } from '#server/stock/stock-facts.ts';
import { holdStock, lockStock } from '#server/stock/stored-stock.ts';
import { PRODUCT_TERM_ENTRIES } from '#server/store/schema.ts';
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
      ...PRODUCT_TERM_ENTRIES,
    }),
  ),
};

type Line = NonNullable<OrderRequest['lines']>[number];

/** @throws Refusal 422 with the first problem, in the language of the order */
function refuseProblems(problems: readonly Problem[], target: string, language: Language): void {
  const [problem] = problems;
  if (!problem) return;
  const text = language === 'hi' ? sentenceOf(problem, toHindi) : sentenceOf(problem);
  throw orderProblem(problem.code, target, text);
}

/** Returns the option as it is stored: null if the product has none of this kind. */
const optionOf = (given: string | null | undefined, options: readonly string[]): string | null =>
  given && options.length > 0 ? given : null;

/**
 * Returns the items at their current prices, and a function that takes them from the stock, which is locked. Size and
 * colour must be the product's, because the packing slip prints them.
 * @throws Refusal 422
 */
async function pricedItems(
  transaction: Transaction,
  { products, lines }: OrderRequest,
  now: number,
  language: Language,
) {
  const ids = Object.keys(products);
  const stock = await lockStock(transaction, ids);
  const found = new Map(
    (await transaction.rows(PRODUCTS({ ids }), PRODUCT_JSON)).map(({ id, discontinued, dto }) => {
      const { title: name, attributes } = dto;
      const [sizes, colors] = [sizesOf(attributes), colorsOf(attributes)];
      const buying = stockFacts(dto, sizes, stock.get(id) ?? new Map(), now);
      const product = { name, price: toRupees(payableAt(dto, now)), sizes, colors, buying };
      return [id, { name, product, isGone: discontinued !== 0 }];
    }),
  );
  const ordered = (lines ?? ids.map((id): Line => ({ id, quantity: products[id] ?? 0 }))).map(
    ({ id, quantity, selectedSize, selectedColor }) => {
      const known = found.get(id);
      if (!known)
        throw orderProblem('product_unknown', id.slice(0, 100), 'A product of this order is not known.');
      const { name, product, isGone } = known;
      return {
        id,
        quantity,
        name,
        price: product.price,
        product: isGone ? ('discontinued' as const) : product,
        selectedSize: optionOf(selectedSize, product.sizes) ?? '',
        selectedColor: optionOf(selectedColor, product.colors) ?? '',
      };
    },
  );
  const facts = lineFacts(ordered, (line) => line);
  for (const [index, each] of facts.entries())
    if (each) refuseProblems(problemsOf('line', each, now), ordered[index]?.id ?? '', language);
  const goods = ordered.map(({ id: productId, selectedSize: size, quantity: pieces }) => ({
    productId,
    size,
    pieces,
  }));
  const hold = (orderNumber: number): Promise<void> =>
    holdStock(transaction, orderNumber, stock, goods, (id) => shownUpTo(found.get(id)?.product.buying ?? {}));
  const items = ordered.map(({ id, name, quantity, price, selectedSize, selectedColor }, position) => ({
    position,
    productId: id,
    title: name,
    size: selectedSize || null,
    color: selectedColor || null,
    quantity,
    unitPaise: toPaise(price),
  }));
  return { items, facts: facts.filter((each) => each !== undefined), hold };
}

const INSERT_ORDER = prepared((row: Insertable<Tables['orders']>) =>
  q.insertInto('orders').values(row).returning('number'),
);

const INSERT_ITEMS = prepared(({ rows }: { rows: readonly OrderItemRow[] }) =>
  q.insertInto('orderItems').values(rows),
);

/** Who orders, and on whose word. */
export interface Orderer {
  readonly customerId: string | null;
  /** Of an order without an account. */
  readonly contactEmail?: string | null;
  /** What the staff who take an order decide. Refusals are then in English. */
  readonly byStaff?: {
    /** The kinds of payment that the rules assume. */
    readonly paymentMethods: readonly PaymentKind[];
    /** Codes of the rules that they overrule: of the order as a whole, and of its place. Those of products always hold. */
    readonly accepted: readonly string[];
  };
}

/**
 * Prices an order, and returns the rules that it breaks as a whole or by its place. Its stock is locked, not taken.
 * @throws Refusal 422 for a line that cannot be bought
 */
export async function priceOrder(
  { clock, settings }: Services,
  transaction: Transaction,
  request: OrderRequest,
  { byStaff }: Pick<Orderer, 'byStaff'>,
) {
  const createdAt = clock();
  const terms = await storedTerms(transaction);
  if (!terms) throw new Error('There is no catalogue.');
  const store = { ...terms, paymentMethods: byStaff?.paymentMethods ?? paymentKindsOf(settings) };
  const language = byStaff ? 'en' : languageOf(request.language);
  const { items, facts, hold } = await pricedItems(transaction, request, createdAt, language);
  const goods = items.map(({ unitPaise, quantity }) => ({ price: toRupees(unitPaise), quantity }));
  const { postalCode } = request.shippingAddress;
  const { lines, total } = amountsOf(goods, store.delivery, postalCode);
  if (!Number.isSafeInteger(total))
    throw orderProblem('total_too_large', 'products', 'The total of this order is too large.');
  const order = { store, lines: facts, subtotal: subtotalOf(goods), postalCode, total };
  const broken = {
    products: problemsOf('order', order, createdAt),
    postalCode: problemsOf('place', order, createdAt),
  };
  return { store, createdAt, language, items, hold, lines, total, broken };
}

/** Stores an order at the catalogue's prices. Returns its number in the tables, and what the API says. @throws Refusal 422 */
export async function storeOrder(
  services: Services,
  transaction: Transaction,
  orderer: Orderer,
  request: OrderRequest,
): Promise<{ readonly number: number; readonly order: OrderDto }> {
  const { customerId, contactEmail = null, byStaff } = orderer;
  const priced = await priceOrder(services, transaction, request, orderer);
  const { store, createdAt, language, items, hold, lines, total, broken } = priced;
  for (const [target, problems] of Object.entries(broken)) {
    const standing = problems.filter(({ code }) => !byStaff?.accepted.includes(code));
    refuseProblems(standing, target, language);
  }
  const { expectedTotal } = request;
  if (typeof expectedTotal === 'number' && total > toPaise(expectedTotal)) {
    const text = `This order costs ${formatPaise(total)} now. Please look at it again.`;
    throw orderProblem('total_changed', 'total', text, { total: toRupees(total) });
  }
  const named = {
    prefix: services.settings.orders.prefix ?? initialsOf(store.storeName),
    suffix: randomSuffix(),
  };
  const row = {
    id: randomUUID(),
    customerId,
    contactEmail,
    status: NEW_ORDER,
    createdAt,
    totalPaise: total,
    amounts: [...lines],
    address: request.shippingAddress,
    language: request.language ?? null,
  };
  const insert = INSERT_ORDER({
    ...row,
    ...named,
    amounts: JSON.stringify(row.amounts),
    ...addressColumns(row.address),
  });
  const [{ number }] = v.parse(v.tuple([v.object({ number: v.number() })]), await transaction.rows(insert));
  await transaction.run(INSERT_ITEMS({ rows: items.map((item) => ({ orderNumber: number, ...item })) }));
  await hold(number);
  await notifyStaff(transaction, services, 'orders', row.id);
  const stored = { ...row, number, shownNumber: shownNumber({ ...named, count: number }) };
  const shown = toOrderDto({ ...stored, tracking: null, carrier: null, parcels: [], events: [] }, items);
  return { number, order: { ...shown, paid: 0, due: toRupees(total), payOnDelivery: false } };
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
  const { order } = await storeOrder(services, transaction, { customerId }, request);
  const answer = JSON.stringify(order);
  const createdAt = services.clock();
  const bodyHash = orderHash(request);
  if (key !== undefined) await transaction.run(INSERT_KEY({ customerId, key, bodyHash, answer, createdAt }));
  return { answer, newId: order.id };
}
