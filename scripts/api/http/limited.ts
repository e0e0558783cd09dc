import type { Limiter } from './limiter.ts';
import { tooMany } from './refusal.ts';

/**
 * Counts an attempt before it is made, so that a burst cannot slip past the limit, and uncounts it unless
 * `counts` says otherwise. @throws Refusal 429
 */
export async function limited<T>(
  limits: readonly (readonly [Limiter, string])[],
  attempt: () => T | Promise<T>,
  counts: (outcome: { value: T } | { error: unknown }) => boolean,
): Promise<T> {
  const taken: (readonly [Limiter, string])[] = [];
  const undo = () => {
    for (const [limiter, key] of taken) limiter.giveBack(key);
  };
  for (const [limiter, key] of limits) {
    const wait = limiter.take(key);
    if (wait > 0) {
      undo();
      throw tooMany(wait);
    }
    taken.push([limiter, key]);
  }
  try {
    const value = await attempt();
    if (!counts({ value })) undo();
    return value;
  } catch (error) {
    if (!counts({ error })) undo();
    throw error;
  }
}
