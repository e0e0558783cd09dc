import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a round until the returned function is called, which resolves when the last round has ended.
 * @param wait how long to wait after a round, in ms
 * @param onError is told of a round that failed; the next one is tried all the same
 */
export function forever(
  round: () => Promise<unknown>,
  wait: () => number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const ending = new AbortController();
  const rounds = (async () => {
    while (!ending.signal.aborted) {
      try {
        await round();
      } catch (error) {
        onError(error);
      }
      await pause(wait(), undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => {
    ending.abort();
    return rounds;
  };
}
