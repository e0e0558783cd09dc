import * as v from 'valibot';
import { isPrice } from '#domain/money.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import { Id, keepValidInSlices, listOf, numberOrText, text, unwrap } from './lenient.ts';

const ORDER_LIMIT = 1_000;

const WireItem = v.pipe(
  v.object({
    id: v.fallback(Id, ''),
    productTitle: text(500),
    quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
    price: v.custom<number>(isPrice, 'not a price'),
  }),
  v.transform(
    ({ id, productTitle, quantity, price }): OrderItem => ({ id, name: productTitle, quantity, price }),
  ),
);

/** A PIN code or a phone number. */
const Digits = v.fallback(v.pipe(numberOrText, text(40)), '');

const AddressFields = v.object({
  fullName: text(200),
  address: text(2_000),
  city: text(200),
  state: text(200),
  postalCode: Digits,
  phone: Digits,
});

const WireAddress = v.fallback(AddressFields, () => v.parse(AddressFields, {}));

/** A missing status is 0. One that is not a number is 'unreadable' (resolutions 20). */
const Status = v.pipe(
  v.unknown(),
  v.transform((status): Order['status'] => {
    if (status === undefined || status === null) return 0;
    return typeof status === 'number' ? status : 'unreadable';
  }),
);

const OrderObject = v.pipe(
  v.object({
    id: Id,
    status: v.optional(Status),
    createdAt: text(40),
    items: listOf(WireItem, ORDER_LIMIT),
    shippingAddress: WireAddress,
  }),
  v.transform((order): Order => ({ ...order, status: order.status ?? 0 })),
);

/** An order, bare or wrapped in `data` (spec 3). */
export const WireOrder = v.pipe(v.unknown(), v.transform(unwrap), OrderObject);

/** POST /orders. The payment page needs only the id. */
export const WireCreatedOrder = v.pipe(v.unknown(), v.transform(unwrap), v.object({ id: Id }));

/** GET /orders: a list, bare or wrapped in `data` (resolutions 20a). */
export const WireOrders = v.pipeAsync(
  v.unknown(),
  v.transform(unwrap),
  v.array(v.unknown()),
  v.transformAsync(
    async (orders) => (await keepValidInSlices(OrderObject, orders.slice(0, ORDER_LIMIT))).valid,
  ),
);
