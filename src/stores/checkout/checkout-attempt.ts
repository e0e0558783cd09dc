import { readStored, writeStored } from '#stores/shell/storage.ts';

/**
 * One attempt to turn the cart into an order, shared by all tabs. The key on the wire is this key and the order's
 * fingerprint: tabs that send the same order send the same key, and a changed cart or address changes it.
 */
export interface Attempt {
  readonly key: string;
  /** The order this attempt has become. */
  readonly orderId?: string;
  /** An order that was sent and not answered; without keys on the wire also the orders like it from before, if known. */
  readonly unanswered?: { readonly fingerprint: string; readonly before?: readonly string[] | undefined };
}

export const ATTEMPT_KEY = 'checkout-attempt';

/** 122 random bits and more; crypto.randomUUID is missing on pages served by http to a phone in the same network. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function decodeUnanswered(value: unknown): Attempt['unanswered'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const { fingerprint, before }: { fingerprint?: unknown; before?: unknown } = value;
  if (typeof fingerprint !== 'string') return undefined;
  return { fingerprint, before: isTexts(before) ? before : undefined };
}

function decode(stored: string | null): Attempt | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { key, orderId, unanswered }: Partial<Record<keyof Attempt, unknown>> = value;
    if (typeof key !== 'string' || !/^[\w-]{16,100}$/.test(key)) return undefined;
    const waiting = decodeUnanswered(unanswered);
    return {
      key,
      ...(typeof orderId === 'string' && orderId !== '' ? { orderId } : {}),
      ...(waiting ? { unanswered: waiting } : {}),
    };
  } catch {
    return undefined;
  }
}

const write = (attempt: Attempt): Attempt => {
  writeStored(ATTEMPT_KEY, JSON.stringify(attempt));
  return attempt;
};

/** The attempt all tabs share; a new one where there is none. */
export const readAttempt = (): Attempt => decode(readStored(ATTEMPT_KEY)) ?? write({ key: randomKey() });

/** A cart that is filled anew is a new attempt, even with what was ordered before. */
export const renewAttempt = (): void => {
  if (readAttempt().orderId !== undefined) write({ key: randomKey() });
};

export const noteUnanswered = (unanswered: NonNullable<Attempt['unanswered']>): Attempt =>
  write({ key: readAttempt().key, unanswered });

/** Forgets what was sent: it was refused. */
export const noteRefused = (): Attempt => write({ key: readAttempt().key });

export const notePlaced = (orderId: string): Attempt => write({ key: readAttempt().key, orderId });
