import { type Fields, fieldsOf, isStringArray, parseJson } from '#domain/json.ts';
import { readStored, writeStored } from '#stores/shell/storage.ts';

/**
 * The checkout of one cart, shared by all tabs. The idempotency key of a request is `key` and the order's fingerprint,
 * so all tabs send the same key for the same order, and a different one for a different order.
 */
export interface CheckoutAttempt {
  readonly key: string;
  readonly orderId?: string;
  readonly unanswered?: {
    readonly fingerprint: string;
    /** For an API without idempotency keys: the ids of equal orders that existed before this one was sent. */
    readonly before?: readonly string[] | undefined;
    /** The total that was sent. Units: paise. */
    readonly total?: number | undefined;
    /** When it was sent. Units: ms since 1970. */
    readonly at?: number | undefined;
  };
}

export const ATTEMPT_KEY = 'checkout-attempt';

/** 128 random bits. `crypto.randomUUID` exists only over https, but the shop also runs over http. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

function decode(stored: string | null): CheckoutAttempt | undefined {
  const { key, orderId, unanswered }: Fields<keyof CheckoutAttempt> = fieldsOf(parseJson(stored));
  if (typeof key !== 'string' || !/^[\w-]{16,100}$/.test(key)) return undefined;
  const { fingerprint, before, total, at }: Fields<'fingerprint' | 'before' | 'total' | 'at'> =
    fieldsOf(unanswered);
  return {
    key,
    ...(typeof orderId === 'string' && orderId !== '' ? { orderId } : {}),
    ...(typeof fingerprint === 'string'
      ? {
          unanswered: {
            fingerprint,
            before: isStringArray(before) ? before : undefined,
            total: typeof total === 'number' ? total : undefined,
            at: typeof at === 'number' ? at : undefined,
          },
        }
      : {}),
  };
}

const write = (attempt: CheckoutAttempt): CheckoutAttempt => {
  writeStored(ATTEMPT_KEY, JSON.stringify(attempt));
  return attempt;
};

export const readAttempt = (): CheckoutAttempt =>
  decode(readStored(ATTEMPT_KEY)) ?? write({ key: randomKey() });

/** Starts a new attempt if the last one has created an order. Called when the cart is filled again. */
export const renewAttempt = (): void => {
  if (readAttempt().orderId !== undefined) write({ key: randomKey() });
};

export const recordUnanswered = (unanswered: NonNullable<CheckoutAttempt['unanswered']>): CheckoutAttempt =>
  write({ key: readAttempt().key, unanswered });

export const recordRefused = (): CheckoutAttempt => write({ key: readAttempt().key });

export const recordPlaced = (orderId: string): CheckoutAttempt => write({ key: readAttempt().key, orderId });
