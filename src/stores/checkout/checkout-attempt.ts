import { readStored, writeStored } from '#stores/shell/storage.ts';

/**
 * One attempt to turn the cart into an order, shared by all tabs. The idempotency key of the request consists of `key`
 * and the order's fingerprint, so all tabs send the same key for the same order, and another one for another order.
 */
export interface CheckoutAttempt {
  readonly key: string;
  /** The order that this attempt has created. */
  readonly orderId?: string;
  /** An order that was sent, but whose answer has not arrived. */
  readonly unanswered?: {
    readonly fingerprint: string;
    /** For an API without idempotency keys: the ids of equal orders that existed before this one was sent. */
    readonly before?: readonly string[] | undefined;
  };
}

export const ATTEMPT_KEY = 'checkout-attempt';

/** 128 random bits. Browsers offer crypto.randomUUID only over https, but the shop can be tried over http. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function decodeUnanswered(value: unknown): CheckoutAttempt['unanswered'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const { fingerprint, before }: { fingerprint?: unknown; before?: unknown } = value;
  if (typeof fingerprint !== 'string') return undefined;
  return { fingerprint, before: isStringArray(before) ? before : undefined };
}

function decode(stored: string | null): CheckoutAttempt | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { key, orderId, unanswered }: Partial<Record<keyof CheckoutAttempt, unknown>> = value;
    if (typeof key !== 'string' || !/^[\w-]{16,100}$/.test(key)) return undefined;
    const unansweredOrder = decodeUnanswered(unanswered);
    return {
      key,
      ...(typeof orderId === 'string' && orderId !== '' ? { orderId } : {}),
      ...(unansweredOrder ? { unanswered: unansweredOrder } : {}),
    };
  } catch {
    return undefined;
  }
}

const write = (attempt: CheckoutAttempt): CheckoutAttempt => {
  writeStored(ATTEMPT_KEY, JSON.stringify(attempt));
  return attempt;
};

/** The attempt that all tabs share; a new one if there is none. */
export const readAttempt = (): CheckoutAttempt =>
  decode(readStored(ATTEMPT_KEY)) ?? write({ key: randomKey() });

/** Starts a new attempt if the last one has become an order, because the cart has been filled again since. */
export const renewAttempt = (): void => {
  if (readAttempt().orderId !== undefined) write({ key: randomKey() });
};

export const recordUnanswered = (unanswered: NonNullable<CheckoutAttempt['unanswered']>): CheckoutAttempt =>
  write({ key: readAttempt().key, unanswered });

/** Removes the unanswered order, because the server has refused it. */
export const recordRefused = (): CheckoutAttempt => write({ key: readAttempt().key });

export const recordPlaced = (orderId: string): CheckoutAttempt => write({ key: readAttempt().key, orderId });
