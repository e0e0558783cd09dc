import { type Cart, productQuantities } from '#domain/cart.ts';
import type { Order } from '#domain/order.ts';
import { type ShippingAddress, trimAddress } from '#domain/shipping-address.ts';
import { encodePart } from '#domain/url.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { CreatedOrderReader, OrderReader, OrdersReader } from './schema/order.ts';

export interface OrderRequest {
  readonly cart: Cart;
  readonly address: ShippingAddress;
  /** One per checkout attempt. Sent only where the API offers it. */
  readonly idempotencyKey: string;
}

const wireLines = (cart: Cart) =>
  cart.map(({ id, quantity, selectedSize, selectedColor }) => ({
    id,
    quantity,
    selectedSize,
    selectedColor,
  }));

/** POST /orders (spec 3, order creation payload; resolutions 21). Never retried. */
export const createOrder = ({
  cart,
  address,
  idempotencyKey,
}: OrderRequest): Promise<Result<{ id: string }>> =>
  call(CreatedOrderReader, 'orders', {
    method: 'post',
    json: {
      products: productQuantities(cart),
      shippingAddress: trimAddress(address),
      ...(__OFFERS__.orderLines ? { lines: wireLines(cart) } : {}),
    },
    ...(__OFFERS__.idempotencyKeys ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
  });

/** GET /orders: the user's own orders, newest first (spec 7). @param next of the answer before, '' for the first page */
export const fetchOrders = (options: Pick<Call, 'signal'> = {}, next = ''): Promise<Result<Order[]>> =>
  call(OrdersReader, `orders${next}`, options);

/** GET /orders/{orderId}?contactInfo (spec 7). */
export const trackOrder = (orderId: string, contactInfo: string): Promise<Result<Order>> =>
  call(OrderReader, `orders/${encodePart(orderId)}`, { searchParams: { contactInfo } });
