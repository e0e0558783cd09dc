/**
 * Runs `ask` with a signal that aborts with any of `callers`, or after `ms`: also while a body stalls, for it ends when
 * `ask` has ended (faults 6).
 */
export async function within<T>(
  ms: number,
  callers: readonly (AbortSignal | null | undefined)[],
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  const timer = setTimeout(abort, ms);
  for (const caller of callers) {
    if (caller?.aborted) abort();
    caller?.addEventListener('abort', abort);
  }
  try {
    return await ask(limit.signal);
  } finally {
    clearTimeout(timer);
    for (const caller of callers) caller?.removeEventListener('abort', abort);
  }
}

/**
 * For what may be asked twice: its signal aborts when the page is left, and a page that comes back by Back asks again,
 * unless `caller` has ended it (faults 6). A page that does not come back never hears of it.
 */
export async function whileShown<T>(
  ask: (leaving?: AbortSignal) => Promise<T>,
  caller?: AbortSignal | null,
): Promise<T> {
  if (typeof window === 'undefined') return ask();
  for (;;) {
    const leaving = new AbortController();
    let shownAgain: Promise<unknown> | undefined;
    const leave = (): void => {
      shownAgain = new Promise((shown) => addEventListener('pageshow', shown, { once: true }));
      leaving.abort();
    };
    addEventListener('pagehide', leave, { once: true });
    try {
      const answer = await ask(leaving.signal);
      if (!shownAgain || caller?.aborted) return answer;
    } finally {
      removeEventListener('pagehide', leave);
    }
    await shownAgain;
  }
}
