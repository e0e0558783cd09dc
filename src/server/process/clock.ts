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

/** Tells the time in ms since 1970. A test can replace it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
