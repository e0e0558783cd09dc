import { type RunningApi, type StartOptions, startApi } from '#scripts/api/start.ts';
import { API_ORIGIN } from './api-address.ts';

const NEVER = { most: 1_000_000, every: 60_000 };

/**
 * An API of its own: a free port, an empty database in memory, the demo catalogue, no limits in the way, faults
 * that can be switched on.
 */
export const startTestApi = (options: StartOptions = {}): Promise<RunningApi> =>
  startApi({
    host: '127.0.0.1',
    apiOrigin: API_ORIGIN,
    faults: true,
    limits: { signIn: NEVER, signInAddress: NEVER, register: NEVER, track: NEVER, orderMisses: NEVER },
    orders: { placed: NEVER, listed: 1_000 },
    ...options,
  });
