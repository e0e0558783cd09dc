/* Chrome before 116 and Firefox before 124 lack it. ky calls it as well. */
AbortSignal.any ??= (signals) => {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return controller.signal;
};

/** Returns a signal that aborts after `ms` or together with one of `signals`. */
export const endingWith = (ms: number, ...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(ms), ...signals.filter((signal) => signal !== undefined)]);

/** Limits work without a timeout of its own, such as an import. Rejects when the signal is aborted. */
export const unlessAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  Promise.race([work, new Promise<never>((_, reject) => signal.addEventListener('abort', reject))]);

/**
 * Runs a request that may be repeated, and aborts it when the visitor leaves the page. If Back restores the page, the
 * request runs again, unless `caller` has aborted it. If the page never comes back, the promise never settles.
 */
export async function whileShown<T>(
  request: (...leaving: AbortSignal[]) => Promise<T>,
  caller?: AbortSignal,
): Promise<T> {
  if (typeof window === 'undefined') return request();
  for (;;) {
    const leaving = new AbortController();
    let shownAgain: Promise<unknown> | undefined;
    const leave = (): void => {
      shownAgain = new Promise((shown) => addEventListener('pageshow', shown, { once: true }));
      leaving.abort();
    };
    addEventListener('pagehide', leave, { once: true });
    try {
      const result = await request(leaving.signal);
      if (!shownAgain || caller?.aborted) return result;
    } finally {
      removeEventListener('pagehide', leave);
    }
    await shownAgain;
  }
}
