import { randomBytes } from 'node:crypto';
import { createCatalogue } from '#scripts/api/catalogue/snapshot.ts';
import { createClientAddress } from '#scripts/api/http/client-address.ts';
import { forEachLimit } from '#scripts/api/shop/limits.ts';
import { offersOf } from '#scripts/api/shop/offers.ts';
import { createPasswords } from '#scripts/api/shop/passwords.ts';
import type { CallShop, Collaborators, Shop } from '#scripts/api/shop/shop.ts';
import { createMetrics } from './metrics.ts';

export function openShop(given: Collaborators, callShop: CallShop): Shop {
  const { db, clock, settings } = given;
  const passwords = createPasswords(settings.hashing);
  const apiOrigin = settings.apiOrigin ?? `http://localhost:${settings.port}`;
  return {
    callShop,
    ...given,
    apiOrigin,
    gatewaySecret: settings.gatewaySecret ?? randomBytes(32).toString('hex'),
    catalogue: createCatalogue(db, apiOrigin, clock, offersOf(settings)),
    passwords,
    metrics: settings.metricsToken === undefined ? undefined : createMetrics(db, passwords),
    clientAddress: createClientAddress(settings.trustedProxies),
    limiters: forEachLimit((_, name) => db.openLimiter(name, settings.limits[name])),
  };
}
