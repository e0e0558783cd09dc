import { formatOrderDate } from './date.ts';
import { formatPaise, type Paise } from './money.ts';

/** Money of an order that goes back to the shopper. */
export interface Refund {
  readonly paise: Paise;
  readonly state: RefundState;
  /** ISO 8601: when it came into this state. */
  readonly at: string;
}

type Text = (amount: string, day: string) => string;

const onItsWay: Text = (amount) => `We are returning ${amount}`;

/** What the shopper reads of money that goes back, by its state in the API. A new state is a line here. */
const REFUND_TEXTS = {
  refund_due: onItsWay,
  refunding: onItsWay,
  refunded: (amount, day) => `We returned ${amount} on ${day}`,
  refund_failed: (amount) => `We could not return ${amount} yet, and are looking into it`,
} as const satisfies Readonly<Record<string, Text>>;

export type RefundState = keyof typeof REFUND_TEXTS;

export const isRefundState = (state: string): state is RefundState => Object.hasOwn(REFUND_TEXTS, state);

export const refundStates = (): RefundState[] => Object.keys(REFUND_TEXTS).filter(isRefundState);

export const refundText = ({ paise, state, at }: Refund): string =>
  REFUND_TEXTS[state](formatPaise(paise), formatOrderDate(at));
