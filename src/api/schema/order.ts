import * as v from 'valibot';
import { isCarrierUrl } from '#domain/carrier.ts';
import { isPrice, toPaise } from '#domain/money.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import { AMOUNT_IDS, amountsOf } from '#domain/order-amounts.ts';
import { isRefundState, type OrderEvent, RETURN_STATES, type Refund } from '#domain/order-history.ts';
import { NEW_ORDER, type OrderStatus } from '#domain/order-status.ts';
import type { AddressField } from '#domain/shipping-address.ts';
import { filled, Id, keepValidInSlices, listOf, numberOrText, text, unwrap, unwrapped } from './lenient.ts';

const ORDER_LIMIT = 1_000;

const ItemSchema = v.pipe(
  v.object({
    id: v.fallback(Id, ''),
    productTitle: text(500),
    quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
    price: v.custom<number>(isPrice, 'not a price'),
    line: v.optional(text(40)),
    selectedSize: v.optional(text(200)),
    selectedColor: v.optional(text(200)),
  }),
  v.transform(
    ({ productTitle, selectedSize, selectedColor, line, ...item }): OrderItem => ({
      ...item,
      name: productTitle,
      ...(line ? { line } : {}),
      size: selectedSize,
      color: selectedColor,
    }),
  ),
);

const Digits = v.fallback(v.pipe(numberOrText, text(40)), '');

/**
 * Lists the fields again instead of importing them, so that pages which show an order do not load the code of the
 * address form. A missing field is a type error.
 */
const AddressFields = v.object({
  fullName: text(2_000),
  address: text(2_000),
  city: text(2_000),
  state: text(2_000),
  postalCode: Digits,
  phone: Digits,
} satisfies Record<AddressField, unknown>);

const AddressSchema = v.fallback(AddressFields, () => v.parse(AddressFields, {}));

/** A missing status means a new order. One that is not a number is 'unreadable'. */
const Status = v.pipe(
  v.unknown(),
  v.transform((status): OrderStatus => {
    if (status === undefined || status === null) return NEW_ORDER;
    return typeof status === 'number' ? status : 'unreadable';
  }),
);

const Price = v.custom<number>(isPrice);

const Sum = v.optional(v.fallback(v.optional(v.pipe(Price, v.transform(toPaise))), undefined));

const AmountSchema = v.pipe(
  v.object({
    id: v.optional(v.fallback(v.optional(v.picklist(AMOUNT_IDS)), undefined)),
    name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60)),
    amount: v.custom<number>((amount) => typeof amount === 'number' && isPrice(Math.abs(amount))),
  }),
  v.transform(({ amount, ...line }) => ({ ...line, paise: toPaise(amount) })),
);

/** All lines or none: an incomplete breakdown would be wrong. */
const AmountsSchema = v.fallback(v.pipe(v.array(AmountSchema), v.maxLength(20)), []);

/** A refund with an unknown state is left out. */
const RefundSchema = v.pipe(
  v.object({
    amount: Price,
    state: v.custom<Refund['state']>((state) => typeof state === 'string' && isRefundState(state)),
    at: text(40),
  }),
  v.transform(({ amount, ...refund }): Refund => ({ ...refund, paise: toPaise(amount) })),
);

/** Returns with an unknown state are left out. A function, so that bundles without the capability drop its code. */
const returnFields = () => ({
  returns: v.optional(
    listOf(
      v.object({
        state: v.picklist(RETURN_STATES),
        lines: listOf(v.object({ line: text(40), quantity: v.number() }), ORDER_LIMIT),
        reason: text(500),
        answer: text(700),
        ending: text(20),
        number: v.fallback(v.number(), 0),
      }),
      100,
    ),
  ),
  returnUntil: v.optional(text(40)),
});

/** Tests run outside a build, where the constant is undefined. They parse everything. */
const READS_RETURNS = typeof __CAPABILITIES__ === 'undefined' || __CAPABILITIES__.returns;

const RETURN_FIELDS = (READS_RETURNS ? returnFields() : {}) as ReturnType<typeof returnFields>;

/** A link to anywhere but a carrier's site is left out. */
const ParcelSchema = v.object({
  carrier: text(60),
  number: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60)),
  url: v.fallback(v.pipe(v.string(), v.maxLength(2_000), v.check(isCarrierUrl)), ''),
});

const TrackingSchema = v.fallback(v.optional(ParcelSchema), undefined);

const EventSchema = v.pipe(
  v.object({ status: v.number(), at: filled(40), note: v.optional(text(200)) }),
  v.transform((event): OrderEvent => event),
);

const OrderObject = v.pipe(
  v.object({
    id: Id,
    number: text(40),
    status: v.optional(Status),
    createdAt: text(40),
    items: listOf(ItemSchema, ORDER_LIMIT),
    extras: listOf(v.object({ label: filled(200), value: filled(2_000) }), 20),
    shippingAddress: AddressSchema,
    amounts: v.optional(AmountsSchema, []),
    total: v.optional(v.fallback(v.optional(Price), undefined)),
    paid: Sum,
    due: Sum,
    payOnDelivery: v.optional(v.fallback(v.optional(v.boolean()), undefined)),
    adjustments: listOf(AmountSchema, 20),
    paymentStartedAt: v.optional(v.fallback(v.optional(filled(40)), undefined)),
    refunds: listOf(RefundSchema, 100),
    ...RETURN_FIELDS,
    tracking: TrackingSchema,
    parcels: listOf(ParcelSchema, 20),
    events: listOf(EventSchema, 20),
  }),
  v.transform(
    ({ amounts, total, ...order }): Order => ({
      ...order,
      status: order.status ?? NEW_ORDER,
      amounts: total === undefined ? amountsOf(order.items) : { lines: amounts, total: toPaise(total) },
    }),
  ),
);

/** An order, bare or wrapped in `data`. */
export const LenientOrderSchema = unwrapped(OrderObject);

/** POST /orders. The payment page needs only the id. */
export const CreatedOrderSchema = unwrapped(v.object({ id: Id }));

/** GET /orders: a list, bare or wrapped in `data`. */
export const OrdersSchema = v.pipeAsync(
  v.unknown(),
  v.transform(unwrap),
  v.array(v.unknown()),
  v.transformAsync(
    async (orders) => (await keepValidInSlices(OrderObject, orders.slice(0, ORDER_LIMIT))).valid,
  ),
);
