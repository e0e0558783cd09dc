import { type RunningApi, type StartOptions, startApi } from '#scripts/api/app/start.ts';
import { API_ORIGIN } from './api-address.ts';
import { NO_LIMITS, NO_ORDER_LIMIT } from './no-limits.ts';

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
    limits: NO_LIMITS,
    orders: NO_ORDER_LIMIT,
    ...options,
  });
