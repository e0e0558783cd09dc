import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { ShippingAddress } from '#domain/order.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { orderProblem, Refusal } from '#scripts/api/http/refusal.ts';
import { AddressSchema, LinesSchema, PRODUCTS_MOST, QuantitySchema } from '#scripts/api/schema/orders.ts';

export interface OrderRequest {
  /** In the order in which the caller named them. */
  readonly products: readonly (readonly [id: string, quantity: number])[];
  readonly shippingAddress: ShippingAddress;
  readonly lines: v.InferOutput<typeof LinesSchema> | undefined;
}

const BodySchema = v.object({ products: v.unknown(), shippingAddress: v.unknown(), lines: v.unknown() });

/** Own keys only, `__proto__` among them, which a record schema would pass over in silence (faults 57). */
function entriesOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined;
}

function productsOf(value: unknown): [string, number][] {
  const entries = entriesOf(value);
  if (!entries || entries.length === 0) {
    throw orderProblem('products_missing', 'products', 'The order has no products.');
  }
  if (entries.length > PRODUCTS_MOST) {
    throw orderProblem(
      'too_many_products',
      'products',
      `An order can have at most ${PRODUCTS_MOST} different products.`,
    );
  }
  return entries.map(([id, quantity]) => {
    const parsed = v.safeParse(QuantitySchema, quantity);
    if (!parsed.success) {
      throw orderProblem(
        'quantity_invalid',
        id.slice(0, 100),
        'Quantities are whole numbers from 1 to 9,999.',
      );
    }
    return [id, parsed.output];
  });
}

function addressOf(value: unknown): ShippingAddress {
  const parsed = v.safeParse(AddressSchema, entriesOf(value) ? value : {});
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  const field = SHIPPING_FIELDS.find((name) => name === path);
  const text =
    field !== undefined && issue.kind === 'schema'
      ? 'All shipping information fields are required.'
      : issue.message;
  throw orderProblem('address_invalid', field ?? 'shippingAddress', text);
}

function linesOf(value: unknown, products: readonly (readonly [string, number])[]): OrderRequest['lines'] {
  if (value === undefined || value === null) return undefined;
  const parsed = v.safeParse(LinesSchema, value);
  if (!parsed.success) throw orderProblem('lines_invalid', 'lines', 'The lines of the order cannot be read.');
  const sums = new Map<string, number>();
  for (const { id, quantity } of parsed.output) sums.set(id, (sums.get(id) ?? 0) + quantity);
  if (sums.size !== products.length || products.some(([id, quantity]) => sums.get(id) !== quantity)) {
    throw orderProblem('lines_mismatch', 'lines', 'The lines of the order do not add up to its products.');
  }
  return parsed.output;
}

/** Reads POST /orders. Prices, totals, a status or an owner in it are passed over (faults 73). @throws Refusal 422 */
export function readOrderRequest(body: unknown): OrderRequest {
  const parsed = v.safeParse(v.partial(BodySchema), body);
  const given = parsed.success && entriesOf(body) ? parsed.output : {};
  const products = productsOf(given.products);
  return {
    products,
    shippingAddress: addressOf(given.shippingAddress),
    lines: linesOf(given.lines, products),
  };
}

/** The key of the attempt, or nothing. @throws Refusal 422 for one that is empty, too long or not plain ASCII */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Refusal(422, 'The Idempotency-Key must be 1 to 255 printable characters.');
  }
  return header;
}

/** Equal for requests that mean the same, whatever the order of the products. */
export function requestHash({ products, shippingAddress, lines }: OrderRequest): string {
  const meaning = [
    [...products].sort(([a], [b]) => (a < b ? -1 : 1)),
    SHIPPING_FIELDS.map((field) => shippingAddress[field]),
    lines ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url');
}
