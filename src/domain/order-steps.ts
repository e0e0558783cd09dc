import { formatOrderDate } from './date.ts';
import { NEW_ORDER } from './new-order.ts';
import type { Order } from './order.ts';
import { statusOf } from './order-status.ts';

type Step = readonly [name: string, text: string];

/** Returns the day of each step since the order was placed, and the next step; empty if the server sends no events. */
export function stepsOf({ events, status }: Pick<Order, 'events' | 'status'>): Step[] {
  if (events.length === 0) return [];
  const { next } = statusOf(status);
  return [
    ...events
      .filter((event) => event.status !== NEW_ORDER)
      .map((event): Step => [statusOf(event.status).label, formatOrderDate(event.at)]),
    ...(next ? [['Next', next] as const] : []),
  ];
}
