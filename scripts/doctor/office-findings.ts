import type { Shop } from '#scripts/api/shop/shop.ts';
import { type Finding, findingsOf, machineFacts, shopFacts } from './check.ts';
import { OFFICE_CHECKS } from './table.ts';

/** What the checks of a running shop find. */
export const officeFindings = async ({ settings, db, clock }: Shop): Promise<Finding[]> =>
  findingsOf(OFFICE_CHECKS, {
    ...machineFacts(),
    env: settings.environment,
    settings,
    shop: await shopFacts(db),
    now: clock(),
  });
