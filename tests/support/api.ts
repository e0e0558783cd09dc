import { type RunningApi, type StartOptions, startApi } from '#server/app/start.ts';
import { COUNTS, type Count, type CountName, type Counts } from '#server/limits/table.ts';
import { API_ORIGIN } from './api-address.ts';

/** The weakest argon2: most tests sign in and few are about hashing. */
export const CHEAP_HASHING = { atOnce: 2, cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } };

/** A shop that sends emails, to a mail server that is not there. A test that reads emails names one of its own. */
const MAIL = { via: 'smtp', url: 'smtp://127.0.0.1:9', from: 'orders@shop.example' } as const;

/**
 * Starts an API on a free port, with an empty database in memory, the demo catalogue, no rate limits, cheap
 * hashing, queued emails, and the admin.
 */
export const startTestApi = (options: StartOptions = {}): Promise<RunningApi> =>
  startApi({
    host: '127.0.0.1',
    apiOrigin: API_ORIGIN,
    hashing: CHEAP_HASHING,
    admin: true,
    mail: MAIL,
    ...UNLIMITED,
    ...options,
  });

/** Settings with rates that nobody meets. */
export const UNLIMITED = { limitFactor: 1_000_000 };

/** The table of rates, with other shares in this row. */
export const countsWith = (name: CountName, shares: Partial<Count>): Counts => ({
  ...COUNTS,
  [name]: { ...COUNTS[name], ...shares },
});
