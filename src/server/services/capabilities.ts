import { PAYMENT_KINDS, type PaymentKind } from '#domain/buying/facts.ts';
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
  stock: () => true,
  terms: () => true,
  returnEndings: () => true,
  contact: ({ mail }) => mail !== undefined,
  parcels: () => true,
  balances: () => true,
  logout: () => true,
};

/** Returns the capabilities beyond section 7 that these settings enable. */
export const capabilitiesOf = (settings: Settings): CapabilityName[] =>
  CAPABILITY_NAMES.filter((name) => IS_SUPPORTED[name](settings));

/** Returns how orders can be paid. `cod` is cash on delivery, all other providers are paid online. */
export const paymentKindsOf = ({ paymentProviders }: Settings): PaymentKind[] =>
  PAYMENT_KINDS.filter((kind) => paymentProviders.some((name) => (name === 'cod') === (kind === 'cash')));
