import type { Order } from '#domain/order.ts';
import type { ReturnLine } from '#domain/order-history.ts';
import { encodePart } from '#domain/url.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { LenientOrderSchema, OrdersSchema } from './schema/order.ts';

/** @returns the changed order */
const changeOrder = (orderId: string, path: string, json: object = {}): Promise<Result<Order>> =>
  call(LenientOrderSchema, `orders/${encodePart(orderId)}/${path}`, { method: 'post', json });

/** POST /orders/{orderId}/returns. Returns the order with its returns. */
export const sendReturn = (orderId: string, reason: string, lines: readonly ReturnLine[]) =>
  changeOrder(orderId, 'returns', { reason, lines });

/** POST /orders/{orderId}/returns/{number}/withdraw. Returns the order with its returns. */
export const sendWithdraw = (orderId: string, number: number) =>
  changeOrder(orderId, `returns/${number}/withdraw`);

/** POST /orders/{orderId}/cancel. Returns the cancelled order. */
export const sendCancel = (orderId: string) => changeOrder(orderId, 'cancel');

/** GET /orders: the customer's orders, newest first. @param next of the previous result, '' for the first page */
export const fetchOrders = (options: Pick<Call, 'signal'> = {}, next = ''): Promise<Result<Order[]>> =>
  call(OrdersSchema, `${ADDRESSES.orders}${next}`, options);

/** GET /orders/{orderId}?contactInfo. */
export const fetchTrackedOrder = (orderId: string, contactInfo: string): Promise<Result<Order>> =>
  call(LenientOrderSchema, `orders/${encodePart(orderId)}`, { searchParams: { contactInfo } });
