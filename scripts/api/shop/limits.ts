import type { Database } from '#scripts/api/db/database.ts';
import { createAddressLimiter, type Limiter } from '#scripts/api/db/limiter.ts';
import { forEachLimit, type LimitName, type Limits } from '#scripts/settings/settings.ts';

/** @param prefix distinguishes the counts of the staff from those of the shop */
export const openLimiters = (
  db: Database,
  limits: Limits,
  prefix = '',
): Readonly<Record<LimitName, Limiter>> =>
  forEachLimit(({ byAddress = false }, name) =>
    byAddress
      ? createAddressLimiter(db.openLimiter, `${prefix}${name}`, limits[name])
      : db.openLimiter(`${prefix}${name}`, limits[name]),
  );
