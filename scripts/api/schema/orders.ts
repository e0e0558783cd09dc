import * as v from 'valibot';
import { PriceSchema } from './product.ts';

export const PRODUCTS_MOST = 100;
export const QUANTITY_MOST = 9_999;
const LINES_MOST = 500;

/** The longest a field of an address may be, in characters. */
const ADDRESS_FIELDS = {
  fullName: 120,
  address: 500,
  city: 120,
  state: 120,
  postalCode: 20,
  phone: 40,
} as const;

const isPlainText = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text);

const addressField = (most: number) =>
  v.pipe(
    v.string('All shipping information fields are required.'),
    v.trim(),
    v.nonEmpty('All shipping information fields are required.'),
    v.maxLength(most, `This field can have at most ${most} characters.`),
    v.check(isPlainText, 'This field has characters that cannot be printed.'),
  );

export const AddressSchema = v.object({
  fullName: addressField(ADDRESS_FIELDS.fullName),
  address: addressField(ADDRESS_FIELDS.address),
  city: addressField(ADDRESS_FIELDS.city),
  state: addressField(ADDRESS_FIELDS.state),
  postalCode: addressField(ADDRESS_FIELDS.postalCode),
  phone: addressField(ADDRESS_FIELDS.phone),
});

const option = v.nullish(v.pipe(v.string(), v.maxLength(200)));

export const QuantitySchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(QUANTITY_MOST));

/** What the cart held, size and colour included; understood where the shop sends it (resolutions 21). */
export const LinesSchema = v.pipe(
  v.array(
    v.object({
      id: v.pipe(v.string(), v.maxLength(100)),
      quantity: QuantitySchema,
      selectedSize: option,
      selectedColor: option,
    }),
  ),
  v.maxLength(LINES_MOST),
);

/** For the description of the call; `routes/order-request.ts` reads it field by field, to name what is wrong. */
export const OrderRequestSchema = v.object({
  products: v.record(v.string(), QuantitySchema),
  shippingAddress: AddressSchema,
  lines: v.optional(LinesSchema),
});

export const OrderSchema = v.object({
  id: v.string(),
  status: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(4)),
  createdAt: v.string(),
  items: v.array(
    v.object({ id: v.string(), productTitle: v.string(), quantity: QuantitySchema, price: PriceSchema }),
  ),
  shippingAddress: AddressSchema,
  total: v.number(),
});

export type WireOrder = v.InferOutput<typeof OrderSchema>;

export const OrderListSchema = v.object({ data: v.array(OrderSchema) });
