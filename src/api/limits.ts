/**
 * Runs a request with a signal that aborts after `ms` or together with one of `signals`. The timeout lasts until the
 * promise settles, so it also covers a stalled body.
 */
export async function withTimeout<T>(
  ms: number,
  signals: readonly (AbortSignal | null | undefined)[],
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, ms);
  for (const signal of signals) {
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  }
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  }
}

/**
 * Runs a request that may be repeated, and aborts it when the visitor leaves the page. If Back restores the page, the
 * request runs again, unless `caller` has aborted it. If the page never comes back, the promise never settles.
 */
export async function whileShown<T>(
  request: (leaving?: AbortSignal) => Promise<T>,
  caller?: AbortSignal | null,
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
