/** Why a call has no usable response. The stores choose the text that the shopper reads. */
export type Failure =
  /** The server responded with an error status. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** `error` of the response, at most 200 characters of plain text. */
      readonly error?: string;
      /** The id or the field that caused the error, if the server names it. */
      readonly target?: string;
      /** What the order would cost, if the shopper was shown less. Units: rupees. */
      readonly total?: number;
      readonly retryAfterSeconds?: number;
    }
  /** The response cannot be read: broken JSON, HTML or the wrong shape. Counts as a 5xx. */
  | { readonly kind: 'unreadable'; readonly status: number }
  /** No response: offline, blocked by CORS or timed out. The server may have acted on the request. */
  | { readonly kind: 'no-answer' };

export type Result<Value> =
  /** `next` is the query of the next page of a list. */
  | { readonly ok: true; readonly value: Value; readonly next?: string }
  | { readonly ok: false; readonly failure: Failure };

/** Whether the server may have carried out the request despite the failure. */
export const isOutcomeUnknown = (failure: Failure): boolean =>
  failure.kind !== 'refused' || failure.status >= 500 || failure.status === 408;

export const isSignedOut = (failure: Failure): boolean =>
  failure.kind === 'refused' && failure.status === 401;

export const isNotFound = (failure: Failure): boolean => failure.kind === 'refused' && failure.status === 404;
