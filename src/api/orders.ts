import type { Order } from '#domain/order.ts';
import { encodePart } from '#domain/url.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { OrderReader, OrdersReader } from './schema/order.ts';

/** GET /orders: the user's own orders, newest first. @param next of the answer before, '' for the first page */
export const fetchOrders = (options: Pick<Call, 'signal'> = {}, next = ''): Promise<Result<Order[]>> =>
  call(OrdersReader, `${ADDRESSES.orders}${next}`, options);

/** GET /orders/{orderId}?contactInfo. */
export const fetchTrackedOrder = (orderId: string, contactInfo: string): Promise<Result<Order>> =>
  call(OrderReader, `orders/${encodePart(orderId)}`, { searchParams: { contactInfo } });
