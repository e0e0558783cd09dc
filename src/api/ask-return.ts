import type { Order } from '#domain/order.ts';
import type { ReturnLine } from '#domain/return-state.ts';
import { encodePart } from '#domain/url.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { OrderReader } from './schema/order.ts';

/** POST /orders/{orderId}/returns. Answers the order with its returns. */
export const sendReturn = (
  orderId: string,
  reason: string,
  lines: readonly ReturnLine[],
): Promise<Result<Order>> =>
  call(OrderReader, `orders/${encodePart(orderId)}/returns`, { method: 'post', json: { reason, lines } });
