import type { Order } from '#domain/order.ts';
import { encodePart } from '#domain/url.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { OrderReader } from './schema/order.ts';

/** POST /orders/{orderId}/cancel. Answers the order as it is then. */
export const sendCancel = (orderId: string): Promise<Result<Order>> =>
  call(OrderReader, `orders/${encodePart(orderId)}/cancel`, { method: 'post', json: {} });
