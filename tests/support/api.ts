import { type RunningApi, type StartOptions, startApi } from '#server/app/start.ts';
import {
  forEachLimit,
  type LimitName,
  type Limits,
  limitSetting,
  readSettings,
} from '#server/settings/settings.ts';
import { API_ORIGIN } from './api-address.ts';

/** The weakest argon2: most tests sign in and few are about hashing. */
export const CHEAP_HASHING = { atOnce: 2, queue: 50, cost: { memoryCost: 8, timeCost: 1 } };

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
    limits: unlimited(),
    ...options,
  });

const MANY = 1_000_000_000;

/** Limits that nobody meets, for an API in this process. */
export const unlimited = (): Limits => forEachLimit(({ every }) => ({ most: MANY, every }));

/** The same as environment variables, for an API that is a process of its own. */
export const unlimitedVariables = (): Record<string, string> =>
  Object.fromEntries(Object.values(forEachLimit((_row, name) => [limitSetting(name), String(MANY)])));

/** The documented limits, but this one. */
export const limitOf = (name: LimitName, most: number): Limits => {
  const { limits } = readSettings({});
  return { ...limits, [name]: { ...limits[name], most } };
};
