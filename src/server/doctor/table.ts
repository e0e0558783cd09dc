import type { Services } from '#server/services/services.ts';
import { type Check, type Finding, findingsOf, shopFacts } from './check.ts';
import { MACHINE_CHECKS } from './checks/machine.ts';
import { SETTINGS_CHECKS } from './checks/settings.ts';
import { SHOP_CHECKS } from './checks/shop.ts';
import { LIVE_RELEASE_CHECK } from './live-release.ts';

const ADMIN_CHECKS: readonly Check[] = [...SETTINGS_CHECKS, ...SHOP_CHECKS, LIVE_RELEASE_CHECK];

export const adminFindings = async ({ settings, db, clock }: Services): Promise<Finding[]> =>
  findingsOf(ADMIN_CHECKS, {
    env: settings.environment,
    settings,
    shop: await shopFacts(db),
    now: clock(),
  });

/**
 * What must hold before the first order. `npm run doctor` and the first page of the admin show the findings. A new
 * check is a row of its list, and a case in tests/server/app/doctor.test.ts.
 */
export const CHECKS: readonly Check[] = [...ADMIN_CHECKS, ...MACHINE_CHECKS];
