import type { Order, OrderItem } from './order.ts';
import { type OrderReturn, RETURN_TEXTS } from './return-state.ts';

/** In characters. */
export const RETURN_REASON_MOST = 500;

/** How many pieces of each item can still be returned. Refused pieces may be requested again. */
export const returnable = (
  items: readonly Pick<OrderItem, 'quantity'>[],
  returns: readonly Pick<OrderReturn, 'state' | 'lines'>[],
): number[] =>
  items.map(({ quantity }, index) =>
    returns
      .filter(({ state }) => state !== 'refused')
      .flatMap(({ lines }) => lines)
      .reduce((left, line) => (line.line === index ? left - line.quantity : left), quantity),
  );

/** Whether the shopper may request a return. The API decides until when, because a device's clock may be wrong. */
export const canReturn = ({ returnUntil, items, returns = [] }: Order): boolean =>
  Boolean(returnUntil) &&
  returns.every(({ state }) => state !== 'asked') &&
  returnable(items, returns).some((pieces) => pieces > 0);

/** Rows for an order's details: the state of each return and the shop's answer. */
export const returnFacts = (returns: readonly OrderReturn[]): (readonly [string, string])[] =>
  returns.flatMap(({ state, answer }) => [
    ['Return', RETURN_TEXTS[state]] as const,
    ...(answer === '' ? [] : [['Our answer', answer] as const]),
  ]);
