import { type RunningApi, type StartOptions, startApi } from '#scripts/api/app/start.ts';
import { API_ORIGIN } from './api-address.ts';
import { unlimited } from './limits.ts';

/** Argon2 as weak as it gets: most tests sign somebody in and few are about hashing. */
export const CHEAP_HASHING = { atOnce: 2, queue: 50, cost: { memoryCost: 8, timeCost: 1 } };

/**
 * Starts an API on a free port, with an empty database in memory, the demo catalogue, no rate limits, cheap hashing,
 * the office, and faults that can be switched on.
 */
export const startTestApi = (options: StartOptions = {}): Promise<RunningApi> =>
  startApi({
    host: '127.0.0.1',
    apiOrigin: API_ORIGIN,
    faults: true,
    hashing: CHEAP_HASHING,
    office: true,
    limits: unlimited(),
    ...options,
  });
