import { forEachLimit, LIMITS, type LimitName, type Limits } from '#scripts/api/shop/limits.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';

const MANY = 1_000_000_000;

/** Limits that nobody meets, for an API in this process. */
export const unlimited = (): Limits => forEachLimit(({ every }) => ({ most: MANY, every }));

/** The same as environment variables, for an API that is a process of its own. */
export const unlimitedVariables = (): Record<string, string> =>
  Object.fromEntries(Object.values(LIMITS).map(({ variable }) => [variable, String(MANY)]));

/** The documented limits, but this one. */
export const limitOf = (name: LimitName, most: number): Limits => {
  const { limits } = readSettings({});
  return { ...limits, [name]: { ...limits[name], most } };
};
