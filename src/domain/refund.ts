import { formatOrderDate } from './date.ts';
import { formatPaise, type Paise } from './money.ts';

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
