import type { Order } from '#domain/order.ts';
import { encodePart } from '#domain/url.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { OrderReader, OrdersReader } from './schema/order.ts';

/** GET /orders: the user's own orders (spec 7). */
export const fetchOrders = (options: Pick<Call, 'signal'> = {}): Promise<Result<Order[]>> =>
  call(OrdersReader, ADDRESSES.orders, options);

/** GET /orders/{orderId}?contactInfo (spec 7). */
export const trackOrder = (orderId: string, contactInfo: string): Promise<Result<Order>> =>
  call(OrderReader, `orders/${encodePart(orderId)}`, { searchParams: { contactInfo } });
