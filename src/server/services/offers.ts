import { OFFER_NAMES, type OfferName } from '#domain/offers.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Whether this API offers each name of the table. */
const IS_OFFERED: Readonly<Record<OfferName, (settings: Settings) => boolean>> = {
  idempotencyKeys: () => true,
  orderLines: () => true,
  testPayments: ({ paymentProviders }) => paymentProviders.includes('sandbox'),
  letters: ({ mail }) => mail !== undefined,
  passwordReset: ({ mail }) => mail !== undefined,
  accountChanges: ({ mail }) => mail !== undefined,
  accountData: ({ mail }) => mail !== undefined,
  cancelOrder: () => true,
  returns: () => true,
  contact: ({ mail }) => mail !== undefined,
  logout: () => true,
};

/** What this API offers beyond section 7 with its settings. */
export const offersOf = (settings: Settings): OfferName[] =>
  OFFER_NAMES.filter((name) => IS_OFFERED[name](settings));
