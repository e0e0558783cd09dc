import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { colorsOf, sizesOf } from '#domain/attributes.ts';
import type { DeliveryTerms } from '#domain/delivery.ts';
import { toRupees } from '#domain/money.ts';
import { NEW_ORDER } from '#domain/new-order.ts';
import { type Amounts, amountsOf } from '#domain/order-amounts.ts';
import { payableAt } from '#domain/sale.ts';
import { orderMeaning } from '#domain/same-order.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { insertOf, insertRow } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { orderProblem, tooMany } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { storedDelivery } from '#server/store/stored-store.ts';
import { ORDER_EMAILS } from './emails.ts';
import type { OrderDto, OrderRequest } from './schema.ts';
import { type OrderItemRow, toOrderDto } from './stored-orders.ts';

const ProductRowSchema = v.pipe(
  v.object({
    id: v.string(),
    title: v.string(),
    discontinued: v.number(),
    dto: v.pipe(
      v.string(),
      v.parseJson(),
      v.object({
        regularPrice: v.number(),
        discountedPrice: v.nullable(v.number()),
        saleFrom: v.optional(v.string()),
        saleUntil: v.optional(v.string()),
        attributes: v.array(v.object({ key: v.string(), values: v.array(v.string()) })),
      }),
    ),
  }),
  v.transform(({ dto, ...row }) => ({ ...row, ...dto })),
);

type Products = ReadonlyMap<string, v.InferOutput<typeof ProductRowSchema>>;

/** The stored products by id, in a single query. */
async function storedProducts(db: Reader, products: OrderRequest['products']): Promise<Products> {
  const ids = Object.keys(products);
  const rows = await db.all(
    ProductRowSchema,
    `SELECT id, title, discontinued, dto FROM products WHERE id IN (${ids.map(() => '?').join()})`,
    ...ids,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The items at current prices. @throws Refusal 422 */
function pricedItems(
  known: Products,
  products: OrderRequest['products'],
  now: number,
): Omit<OrderItemRow, 'orderNumber'>[] {
  return Object.entries(products).map(([id, quantity]) => {
    const product = known.get(id);
    if (!product)
      throw orderProblem('product_unknown', id.slice(0, 100), 'A product of this order is not known.');
    const { title } = product;
    if (product.discontinued !== 0) {
      throw orderProblem('product_gone', id, `${title} is no longer sold. Please remove it from your cart.`);
    }
    const unitPaise = payableAt(product, now);
    if (unitPaise === 0) {
      throw orderProblem(
        'price_unavailable',
        id,
        `${title} has no price at the moment and cannot be ordered.`,
      );
    }
    return { productId: id, title, quantity, unitPaise };
  });
}

/** @throws Refusal 422 if the total is no safe integer */
function exactAmounts(
  items: readonly Pick<OrderItemRow, 'quantity' | 'unitPaise'>[],
  delivery: DeliveryTerms,
): Amounts {
  const amounts = amountsOf(
    items.map(({ unitPaise, quantity }) => ({ price: toRupees(unitPaise), quantity })),
    delivery,
  );
  if (Number.isSafeInteger(amounts.total)) return amounts;
  throw orderProblem('total_too_large', 'products', 'The total of this order is too large.');
}

const CreatedRowSchema = v.object({ createdAt: v.number() });

const NumberRowSchema = v.object({ number: v.number() });

/**
 * Limits how often a customer orders. Counts stored orders, so that a repeated request counts once.
 * @throws Refusal 429
 */
async function checkOrderLimit({ clock, settings }: Services, db: Reader, customerId: string): Promise<void> {
  const { most, every } = settings.limits.orders;
  const firstOfLimit = await db.get(
    CreatedRowSchema,
    'SELECT created_at AS "createdAt" FROM orders WHERE customer_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?',
    customerId,
    most - 1,
  );
  const age = firstOfLimit ? clock() - firstOfLimit.createdAt : every;
  if (age >= 0 && age < every) throw tooMany(Math.ceil((every - age) / 1_000));
}

/** Returns the option if the product has it, null if it has no options of this kind. @throws Refusal 422 otherwise */
function knownOption(
  given: string | null | undefined,
  options: readonly string[],
  { id, title }: { readonly id: string; readonly title: string },
): string | null {
  if (!given || options.length === 0) return null;
  if (options.includes(given)) return given;
  throw orderProblem('option_unknown', id, `${title} is not sold as ${given}. Please choose it anew.`);
}

/** Checks sizes and colours against the products, because the packing slip prints them. @throws Refusal 422 */
function knownLines(products: Products, lines: NonNullable<OrderRequest['lines']>): string {
  const known = lines.flatMap(({ id, quantity, selectedSize, selectedColor }) => {
    const product = products.get(id);
    if (!product) return [];
    const { attributes } = product;
    return [
      {
        id,
        quantity,
        selectedSize: knownOption(selectedSize, sizesOf(attributes), product),
        selectedColor: knownOption(selectedColor, colorsOf(attributes), product),
      },
    ];
  });
  return JSON.stringify(known);
}

/** Stores an order at the catalogue's prices, and queues its confirmation email. @throws Refusal 422, 429 */
export async function createOrder(
  services: Services,
  transaction: Transaction,
  customerId: string,
  request: OrderRequest,
): Promise<OrderDto> {
  const { clock, ids } = services;
  await checkOrderLimit(services, transaction, customerId);
  const createdAt = clock();
  const products = await storedProducts(transaction, request.products);
  const items = pricedItems(products, request.products, createdAt);
  const { lines, total } = exactAmounts(items, await storedDelivery(transaction));
  const order = {
    id: ids.order(),
    customerId,
    status: NEW_ORDER,
    createdAt,
    totalPaise: total,
    amounts: [...lines],
    address: request.shippingAddress,
    language: request.language ?? null,
  };
  const [sql, ...values] = insertOf('orders', {
    ...order,
    amounts: JSON.stringify(order.amounts),
    address: JSON.stringify(order.address, [...SHIPPING_FIELDS]),
    lines: request.lines ? knownLines(products, request.lines) : null,
  });
  const stored = await transaction.get(NumberRowSchema, `${sql} RETURNING number`, ...values);
  const { number } = v.parse(NumberRowSchema, stored);
  for (const [position, item] of items.entries()) {
    await insertRow(transaction, 'order_items', { orderNumber: number, position, ...item });
  }
  await queueEmail(transaction, services, ORDER_EMAILS.placed, order.id);
  return toOrderDto({ ...order, number, tracking: null, carrier: null, events: [] }, items);
}

const orderHash = ({ products, shippingAddress, lines }: OrderRequest): string =>
  createHash('sha256')
    .update(orderMeaning(products, shippingAddress, lines))
    .digest('base64url');

const KeyRowSchema = v.object({ bodyHash: v.string(), answer: v.string() });

interface CreatedOrder {
  /** JSON, identical for every repeated request. */
  readonly answer: string;
  /** False if an earlier request created the order. */
  readonly isNew: boolean;
}

/** Creates the order unless one exists for this Idempotency-Key. @throws Refusal 422, 429 */
export async function createOrderOnce(
  services: Services,
  transaction: Transaction,
  customerId: string,
  key: string,
  request: OrderRequest,
): Promise<CreatedOrder> {
  const bodyHash = orderHash(request);
  const known = await transaction.get(
    KeyRowSchema,
    'SELECT body_hash AS "bodyHash", answer FROM order_keys WHERE customer_id = ? AND key = ?',
    customerId,
    key,
  );
  if (known && known.bodyHash !== bodyHash) {
    throw orderProblem(
      'idempotency_mismatch',
      'Idempotency-Key',
      'This attempt was already made with another order.',
    );
  }
  if (known) return { answer: known.answer, isNew: false };
  const answer = JSON.stringify(await createOrder(services, transaction, customerId, request));
  await insertRow(transaction, 'order_keys', {
    customerId,
    key,
    bodyHash,
    answer,
    createdAt: services.clock(),
  });
  return { answer, isNew: true };
}
