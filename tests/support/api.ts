import { type RunningApi, type StartOptions, startApi } from '#scripts/api/app/start.ts';
import { API_ORIGIN } from './api-address.ts';
import { unlimited } from './limits.ts';

/** Argon2 as weak as it gets: most tests sign somebody in and few are about hashing. */
export const CHEAP_HASHING = { atOnce: 2, queue: 50, cost: { memoryCost: 8, timeCost: 1 } };

/** A shop that sends letters, to a mail server that is not there. A test that reads letters names one of its own. */
const MAIL = { via: 'smtp', url: 'smtp://127.0.0.1:9', from: 'orders@shop.example' } as const;

/**
 * Starts an API on a free port, with an empty database in memory, the demo catalogue, no rate limits, cheap hashing,
 * letters that wait, the office, and faults that can be switched on.
 */
export const startTestApi = (options: StartOptions = {}): Promise<RunningApi> =>
  startApi({
    host: '127.0.0.1',
    apiOrigin: API_ORIGIN,
    faults: true,
    hashing: CHEAP_HASHING,
    office: true,
    mail: MAIL,
    limits: unlimited(),
    ...options,
  });
