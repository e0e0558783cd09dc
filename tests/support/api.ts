import { type RunningApi, type StartOptions, startApi } from '#scripts/api/app/start.ts';
import { API_ORIGIN } from './api-address.ts';

const NO_LIMIT = { most: 1_000_000, every: 60_000 };

/**
 * Starts an API on a free port, with an empty database in memory, the demo catalogue, no rate limits, the office, and
 * faults that can be switched on.
 */
export const startTestApi = (options: StartOptions = {}): Promise<RunningApi> =>
  startApi({
    host: '127.0.0.1',
    apiOrigin: API_ORIGIN,
    faults: true,
    office: true,
    limits: {
      signIn: NO_LIMIT,
      signInAddress: NO_LIMIT,
      register: NO_LIMIT,
      track: NO_LIMIT,
      orderMisses: NO_LIMIT,
    },
    orders: { placed: NO_LIMIT, listed: 1_000 },
    ...options,
  });
