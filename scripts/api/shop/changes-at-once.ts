import pLimit, { type LimitFunction } from 'p-limit';

/** How many changes of one customer a process makes at the same moment. PostgreSQL has 10 connections for all customers. */
const MOST_AT_ONCE = 3;

/**
 * Returns a function that lets the changes of one customer wait for each other. They lock the same rows: without it, a
 * hundred at once hold every connection of the database while they wait for one lock.
 */
export function limitChanges(): <T>(userId: string, work: () => T | Promise<T>) => Promise<T> {
  const limits = new Map<string, { readonly limit: LimitFunction; count: number }>();
  return async (userId, work) => {
    const entry = limits.get(userId) ?? { limit: pLimit(MOST_AT_ONCE), count: 0 };
    limits.set(userId, entry);
    entry.count += 1;
    try {
      return await entry.limit(work);
    } finally {
      entry.count -= 1;
      if (entry.count === 0) limits.delete(userId);
    }
  };
}
