import { createCatalogue } from '#scripts/api/catalogue/snapshot.ts';
import { createClientAddress } from '#scripts/api/http/client-address.ts';
import { toldProviders } from '#scripts/api/payments/providers/table.ts';
import { toldRetention } from '#scripts/api/privacy/retention.ts';
import { openLimiters } from '#scripts/api/shop/limits.ts';
import { offersOf } from '#scripts/api/shop/offers.ts';
import { createPasswords } from '#scripts/api/shop/passwords.ts';
import type { CallShop, Collaborators, Shop } from '#scripts/api/shop/shop.ts';
import { createMetrics } from './metrics.ts';

/** One hash at a time is enough for an office, and leaves the processor to the shoppers. */
const STAFF_HASHING = { atOnce: 1, queue: 10 };

export function openShop(given: Collaborators, callShop: CallShop): Shop {
  const { db, clock, settings } = given;
  const { hashing } = settings;
  const passwords = {
    customers: createPasswords(hashing),
    staff: createPasswords({ ...hashing, ...STAFF_HASHING }),
  };
  const apiOrigin = settings.apiOrigin ?? `http://localhost:${settings.port}`;
  const shop: Shop = {
    callShop,
    ...given,
    apiOrigin,
    catalogue: createCatalogue(db, apiOrigin, clock, () => ({
      offers: offersOf(settings),
      paymentProviders: toldProviders(shop),
      ...(settings.mail && { mailCarrier: settings.mailCarrier, retention: toldRetention() }),
    })),
    passwords,
    metrics: settings.metricsToken === undefined ? undefined : createMetrics(db, Object.values(passwords)),
    clientAddress: createClientAddress(settings.trustedProxies),
    limiters: openLimiters(db, settings.limits),
    staffLimiters: openLimiters(db, settings.limits, 'staff '),
  };
  return shop;
}
