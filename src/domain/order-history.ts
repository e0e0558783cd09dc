import { formatOrderDate } from './date.ts';
import { formatPaise, type Paise } from './money.ts';
import { NEW_ORDER, type OrderStatus, statusOf } from './order-status.ts';

/* The history of an order: the steps of its delivery, its refunds and the states of its returns. */

export interface OrderEvent {
  readonly status: OrderStatus;
  /** ISO 8601 as the server sent it. */
  readonly at: string;
  /** Such as why a parcel came back. */
  readonly note?: string | undefined;
}

type Step = readonly [name: string, text: string];

interface Steps {
  readonly events: readonly OrderEvent[];
  readonly status: OrderStatus;
}

/** Returns the day of each step since the order was placed, and the next step; empty if the server sends no events. */
export function stepsOf({ events, status }: Steps): Step[] {
  if (events.length === 0) return [];
  const { next } = statusOf(status);
  return [
    ...events
      .filter((event) => event.status !== NEW_ORDER)
      .map(
        ({ status: reached, at, note }): Step => [
          statusOf(reached).label,
          [formatOrderDate(at), note].filter(Boolean).join(', '),
        ],
      ),
    ...(next ? [['Next', next] as const] : []),
  ];
}

export interface Refund {
  readonly paise: Paise;
  readonly state: RefundState;
  /** ISO 8601: when it entered this state. */
  readonly at: string;
}

type Text = (amount: string, day: string) => string;

const pending: Text = (amount) => `We are returning ${amount}`;

/** What the shopper reads, by the refund's state in the API. A new state is a line here. */
const REFUND_TEXTS = {
  refund_due: pending,
  refunding: pending,
  refunded: (amount, day) => `We returned ${amount} on ${day}`,
  refund_failed: (amount) => `We could not return ${amount} yet, and are looking into it`,
} as const satisfies Readonly<Record<string, Text>>;

export type RefundState = keyof typeof REFUND_TEXTS;

export const isRefundState = (state: string): state is RefundState => Object.hasOwn(REFUND_TEXTS, state);

export const refundStates = (): RefundState[] => Object.keys(REFUND_TEXTS).filter(isRefundState);

export const refundText = ({ paise, state, at }: Refund): string =>
  REFUND_TEXTS[state](formatPaise(paise), formatOrderDate(at));

/** A return's state in the API. A new one is a name here and its text in `RETURN_TEXTS`. */
export const RETURN_STATES = ['asked', 'accepted', 'refused', 'received', 'refunded'] as const;

export type ReturnState = (typeof RETURN_STATES)[number];

/** `line` is that of an order's item. `quantity` is in pieces. */
export interface ReturnLine {
  readonly line: string;
  readonly quantity: number;
}

export interface OrderReturn {
  readonly state: ReturnState;
  readonly lines: readonly ReturnLine[];
  readonly reason: string;
  /** The shop's answer, or ''. */
  readonly answer: string;
  /** A name of `RETURN_ENDINGS`. */
  readonly ending?: string | undefined;
  /** Its place among the returns of the order, from 1. */
  readonly number: number;
}
