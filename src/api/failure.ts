/** Why a call brought no usable answer. What the shopper reads of it is the stores' business. */
export type Failure =
  /** Refused by an answer of the server. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The server's `error`, as text, at most 200 characters. */
      readonly error?: string;
      /** The id of what is at fault, where the server says so. */
      readonly target?: string;
      readonly retryAfterSeconds?: number;
    }
  /** An answer that cannot be read: broken JSON, HTML, or the wrong shape. Counts as a 5xx. */
  | { readonly kind: 'unreadable'; readonly status: number }
  /** No answer: offline, refused by CORS, timed out. What the server did is unknown. */
  | { readonly kind: 'no-answer' };

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** Whether the server may have done what it was asked although nobody can tell (faults 19, 20). */
export const isOutcomeUnknown = (failure: Failure): boolean =>
  failure.kind !== 'refused' || failure.status >= 500 || failure.status === 408;

export const isSignedOut = (failure: Failure): boolean =>
  failure.kind === 'refused' && failure.status === 401;
