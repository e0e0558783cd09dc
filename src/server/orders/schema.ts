import * as v from 'valibot';
import { MAX_PRODUCTS, MAX_QUANTITY, MIN_QUANTITY } from '#domain/cart.ts';
import { MAX_LINES, TOO_MANY_LINES } from '#domain/order.ts';
import { AMOUNT_IDS } from '#domain/order-amounts.ts';
import { RETURN_STATES, refundStates } from '#domain/order-history.ts';
import { returnEndings } from '#domain/order-returns.ts';
import { STATUSES } from '#domain/order-status.ts';
import { ADDRESS_FIELDS, type AddressField, eachAddressField, tidyField } from '#domain/shipping-address.ts';
import { LanguageSchema } from '#server/customers/schema.ts';
import { PriceSchema, plainText, tidied } from '#server/http/sent-values.ts';
import { extrasFor } from './order-extras.ts';

const QUANTITY_WRONG = `Quantities are whole numbers from ${MIN_QUANTITY} to ${MAX_QUANTITY.toLocaleString('en-IN')}.`;

const FIELDS_REQUIRED = 'All shipping information fields are required.';

/** Lenient, because earlier versions accepted other texts. */
export const StoredAddressSchema = v.object(eachAddressField(() => v.string()));

const addressField = (field: AddressField, { max }: { readonly max: number }) =>
  v.pipe(
    v.string(FIELDS_REQUIRED),
    v.trim(),
    v.maxLength(max, `This field can have at most ${max} characters.`),
    v.transform((text) => tidyField(field, text)),
    v.nonEmpty(FIELDS_REQUIRED),
    plainText('This field has characters that cannot be printed.'),
  );

export const AddressSchema = v.object(
  eachAddressField((field) => addressField(field, ADDRESS_FIELDS[field])),
  FIELDS_REQUIRED,
);

const QuantitySchema = v.pipe(
  v.number(QUANTITY_WRONG),
  v.integer(QUANTITY_WRONG),
  v.minValue(MIN_QUANTITY, QUANTITY_WRONG),
  v.maxValue(MAX_QUANTITY, QUANTITY_WRONG),
);

/** Quantities by product id. */
const ProductsSchema = v.pipe(
  v.record(v.string(), QuantitySchema, 'The order has no products.'),
  v.minEntries(1, 'The order has no products.'),
  v.maxEntries(MAX_PRODUCTS, `An order can have at most ${MAX_PRODUCTS} different products.`),
);

const option = v.nullish(
  v.pipe(v.string(), v.maxLength(200), tidied, plainText('An option has characters that cannot be printed.')),
);

/** The cart's lines with size and colour, if the storefront sends them. */
const LinesSchema = v.pipe(
  v.array(
    v.object({
      id: v.pipe(v.string(), v.maxLength(100)),
      quantity: QuantitySchema,
      selectedSize: option,
      selectedColor: option,
    }),
  ),
  v.maxLength(MAX_LINES, TOO_MANY_LINES),
);

interface Ordered {
  readonly products: v.InferOutput<typeof ProductsSchema>;
  readonly lines?: v.InferOutput<typeof LinesSchema> | null | undefined;
}

function linesAddUp({ products, lines }: Ordered): boolean {
  if (!lines) return true;
  const sums = new Map<string, number>();
  for (const { id, quantity } of lines) sums.set(id, (sums.get(id) ?? 0) + quantity);
  const ordered = Object.entries(products);
  return sums.size === ordered.length && ordered.every(([id, quantity]) => sums.get(id) === quantity);
}

/** Anything else in a body, such as prices, a status or an owner, is ignored. */
export const OrderRequestSchema = v.pipe(
  v.object({
    products: ProductsSchema,
    shippingAddress: AddressSchema,
    lines: v.nullish(LinesSchema),
    language: LanguageSchema,
    expectedTotal: v.nullish(
      v.pipe(
        v.number(),
        v.finite(),
        v.description(
          'What the customer was shown, in rupees. A dearer order is refused, a cheaper one accepted.',
        ),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['products'], ['lines']],
      linesAddUp,
      'The lines of the order do not add up to its products.',
    ),
    ['lines'],
  ),
);

export type OrderRequest = v.InferOutput<typeof OrderRequestSchema>;

/** Such as '0 Pending, 1 Processing …'. */
const STATUS_MEANINGS = Object.values(STATUSES)
  .map(({ code, label }) => `${code} ${label}`)
  .join(', ');

const CUSTOMER_EXTRAS = extrasFor('customer').map(({ name }) => name);

/** @param text for the documentation of the API */
const described = <S extends v.GenericSchema>(text: string, schema: S) => v.pipe(schema, v.description(text));

const ParcelSchema = v.object({ carrier: v.string(), number: v.string(), url: v.optional(v.string()) });

export const OrderDtoSchema = v.object({
  id: v.string(),
  number: described(
    'Short and for people, such as FF-1042-7K3Q. It finds the order in tracking, as the id does.',
    v.string(),
  ),
  status: described(STATUS_MEANINGS, v.pipe(v.number(), v.integer())),
  createdAt: v.string(),
  items: v.array(
    v.object({
      id: v.string(),
      line: described('Names the item in a return. Two items may have one id.', v.string()),
      productTitle: v.string(),
      quantity: QuantitySchema,
      price: PriceSchema,
      selectedSize: v.optional(v.string()),
      selectedColor: v.optional(v.string()),
    }),
  ),
  shippingAddress: AddressSchema,
  extras: v.optional(
    described(
      `What the customer entered besides: ${CUSTOMER_EXTRAS.join(', ')}.`,
      v.array(v.object({ name: v.string(), label: v.string(), value: v.string() })),
    ),
  ),
  amounts: described(
    'What the total consists of, in the order in which it is shown. A discount is negative.',
    v.array(v.object({ id: v.optional(v.picklist(AMOUNT_IDS)), name: v.string(), amount: v.number() })),
  ),
  total: v.number(),
  paid: v.optional(described('What the shop holds of the payments, in rupees.', v.number())),
  due: v.optional(described('What is still to pay, in rupees.', v.number())),
  payOnDelivery: v.optional(described('Whether what is due is collected on delivery.', v.boolean())),
  adjustments: v.optional(
    described(
      'By how much less is owed than the total, and why. Of an order that ended: what is not refunded.',
      v.array(v.object({ amount: v.number(), name: v.string(), at: v.string() })),
    ),
  ),
  paymentStartedAt: v.optional(
    described('When the newest payment was started whose end is not known. It may still arrive.', v.string()),
  ),
  tracking: v.optional(described('The newest parcel. `url` is there for a known carrier.', ParcelSchema)),
  parcels: v.optional(
    described(
      'All parcels that have left, the newest last, of an order in several. The last leaves with the status Shipped.',
      v.array(ParcelSchema),
    ),
  ),
  events: described(
    'When the order reached each status, the oldest first. `note` says that a parcel came back, and why.',
    v.array(v.object({ status: v.number(), at: v.string(), note: v.optional(v.string()) })),
  ),
  refunds: v.optional(
    described(
      'The refunds, due or made, and since when each has its state.',
      v.array(v.object({ amount: v.number(), state: v.picklist(refundStates()), at: v.string() })),
    ),
  ),
  returnUntil: v.optional(
    described('Until when the customer may request a return. Missing if that is not possible.', v.string()),
  ),
  returns: v.optional(
    described(
      'The returns that the customer requested, the oldest first, with the answers of the shop. `line` is that of an item.',
      v.array(
        v.object({
          state: v.picklist(RETURN_STATES),
          lines: v.array(v.object({ line: v.string(), quantity: v.number() })),
          reason: v.string(),
          answer: v.string(),
          ending: v.optional(described('How it ended, unless by a refund.', v.picklist(returnEndings()))),
          number: described('Its place among the returns of the order, from 1.', v.number()),
        }),
      ),
    ),
  ),
});

export type OrderDto = v.InferOutput<typeof OrderDtoSchema>;

export const OrderListSchema = v.object({ data: v.array(OrderDtoSchema) });
