import type { Cart } from '#domain/cart.ts';
import { productQuantities } from '#domain/cart-totals.ts';
import type { Order, ShippingAddress } from '#domain/order.ts';
import { trimAddress } from '#domain/shipping-address.ts';
import { encodePart } from '#domain/url.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { WireCreatedOrder, WireOrder, WireOrders } from './schema/order.ts';

export interface OrderRequest {
  readonly cart: Cart;
  readonly address: ShippingAddress;
  /** One per checkout attempt. Sent only if `usesIdempotencyKeys` is true. */
  readonly idempotencyKey: string;
}

const wireLines = (cart: Cart) =>
  cart.map(({ id, quantity, selectedSize, selectedColor }) => ({
    id,
    quantity,
    selectedSize,
    selectedColor,
  }));

export const usesIdempotencyKeys = import.meta.env.PUBLIC_IDEMPOTENCY_KEYS === 'true';

/** POST /orders (spec 3, order creation payload; resolutions 21). Never retried. */
export const createOrder = ({
  cart,
  address,
  idempotencyKey,
}: OrderRequest): Promise<Result<{ id: string }>> =>
  call(WireCreatedOrder, 'orders', {
    method: 'post',
    json: {
      products: productQuantities(cart),
      shippingAddress: trimAddress(address),
      ...(import.meta.env.PUBLIC_ORDER_LINES === 'true' ? { lines: wireLines(cart) } : {}),
    },
    ...(usesIdempotencyKeys ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
  });

/** GET /orders: the user's own orders (spec 7). */
export const fetchOrders = (options: Pick<Call, 'signal'> = {}): Promise<Result<Order[]>> =>
  call(WireOrders, ADDRESSES.orders, options);

/** GET /orders/{orderId}?contactInfo (spec 7). */
export const trackOrder = (orderId: string, contactInfo: string): Promise<Result<Order>> =>
  call(WireOrder, `orders/${encodePart(orderId)}`, { searchParams: { contactInfo } });
