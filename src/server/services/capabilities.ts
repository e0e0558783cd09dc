import { CAPABILITY_NAMES, type CapabilityName } from '#domain/capabilities.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Whether these settings switch each capability (feature flag) on. */
const IS_SUPPORTED: Readonly<Record<CapabilityName, (settings: Settings) => boolean>> = {
  idempotencyKeys: () => true,
  orderLines: () => true,
  expectedTotal: () => true,
  testPayments: ({ paymentProviders }) => paymentProviders.includes('sandbox'),
  emails: ({ mail }) => mail !== undefined,
  passwordReset: ({ mail }) => mail !== undefined,
  accountChanges: ({ mail }) => mail !== undefined,
  accountData: ({ mail }) => mail !== undefined,
  cancelOrder: () => true,
  returns: () => true,
  stock: () => false,
  terms: () => false,
  contact: ({ mail }) => mail !== undefined,
  balances: () => true,
  logout: () => true,
};

/** Returns the capabilities beyond section 7 that these settings enable. */
export const capabilitiesOf = (settings: Settings): CapabilityName[] =>
  CAPABILITY_NAMES.filter((name) => IS_SUPPORTED[name](settings));
