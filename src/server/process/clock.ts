import { setTimeout as pause } from 'node:timers/promises';

/* In ms. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The clocks of the machines of one shop differ by less, in ms. A stored time that is further ahead is of a wrong clock. */
export const SKEW = 30 * SECOND;

/**
 * Repeats a round until the returned function is called. That function resolves when the last round has ended.
 * @param wait returns the pause after a round, in ms
 * @param onError called for a failed round; the next one runs anyway
 * @param onSuccess called for any other
 */
export function forever(
  round: () => Promise<unknown>,
  wait: () => number,
  onError: (error: unknown) => void,
  onSuccess: () => void = () => undefined,
): () => Promise<void> {
  const ending = new AbortController();
  const rounds = (async () => {
    while (!ending.signal.aborted) {
      try {
        await round();
        onSuccess();
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

/** Returns the time in ms since 1970. Tests replace it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Returns an ISO hour such as '2026-01-05T10'. */
export const hourOf = (milliseconds: number): string =>
  isoTime(milliseconds).slice(0, 'yyyy-mm-ddThh'.length);

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
