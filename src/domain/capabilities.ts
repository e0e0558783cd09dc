/** Marks a line of a built-in text that holds only if the API has the capability, such as `<!--accountData-->`. */
const CAPABILITY_LINE = /^<!--(\w+)-->(.*\n)/gm;

export const onlySupported = (text: string, isSupported: (name: CapabilityName) => boolean): string =>
  text.replace(CAPABILITY_LINE, (_, name: string, line: string) =>
    CAPABILITY_NAMES.some((capability) => capability === name && isSupported(capability)) ? line : '',
  );

interface Capability {
  /** What the API must do beyond section 7 of the specification, for authors of an API. */
  readonly adds: string;
  /** A build setting, 'true' or 'false', that overrides the API's list. */
  readonly setting?: string;
}

/**
 * The feature flags of the API. It lists those that it has in `capabilities` of GET /storeInfo.
 * Pages and scripts read `__CAPABILITIES__.name`. The build replaces it by true or false and drops the code that cannot run.
 * A new capability is an entry here and one in src/server/services/capabilities.ts.
 */
export const CAPABILITIES = {
  idempotencyKeys: {
    adds: 'POST /orders takes the header Idempotency-Key. The same order with the same key gets the same response again.',
    setting: 'PUBLIC_IDEMPOTENCY_KEYS',
  },
  orderLines: {
    adds: 'POST /orders takes `lines` with the size and colour of each line, and stores them.',
    setting: 'PUBLIC_ORDER_LINES',
  },
  expectedTotal: {
    adds: 'POST /orders takes `expectedTotal`, the total that was shown, in rupees. A dearer order gets 422 with the code `total_changed`, the target `total`, and the `total`. Two orders may be the same with different ones.',
  },
  testPayments: {
    adds: 'Payments are tests: no money moves, and the shopper decides whether an order was paid. The payment page says so.',
  },
  emails: {
    adds: 'The API writes emails about orders. POST /users/register and POST /orders take `language`, `en` or `hi`, which the shopper reads.',
  },
  passwordReset: {
    adds: 'POST /users/forgot-password sends an email with a link to /reset-password, whose token POST /users/reset-password takes with the new password. It may return a `device`.',
  },
  accountChanges: {
    adds: 'POST /users/name, /users/password and /users/email change the account of the bearer token. Both addresses confirm a change of email by links to /account-change, whose tokens POST /users/confirm-email takes.',
  },
  accountData: {
    adds: 'GET /users/data returns everything that is stored about the customer. POST /users/delete sends an email with a link to /account-data, whose token POST /users/confirm-deletion takes to delete the account.',
  },
  contact: {
    adds: 'POST /contact takes the fields of the contact form and emails them to the company.',
  },
  cancelOrder: {
    adds: 'POST /orders/{id}/cancel cancels an order of the customer until it is shipped, and returns it.',
  },
  returns: {
    adds: 'POST /orders/{id}/returns requests the return of items of a delivered order. Orders carry `returns`, and `returnUntil` (ISO 8601) while a return may be requested.',
  },
  stock: {
    adds: 'Products carry `availability` (`in_stock`, `few_left`, `sold_out`, `back_on`), `backOn` (a day), `sizes` ([{ size, availability, left }]), `minPerOrder` and `maxPerOrder`. GET /products/{id} alone says `few_left` and how many are `left`. POST /orders answers 422 with the `code` of a rule.',
  },
  terms: {
    adds: 'GET /storeTerms returns the parts of the store record that decide what may be ordered: `delivery`, `orderMinimum`, `pause`, `served`, `cashOnDelivery`, `paymentMethods`.',
  },
  balances: {
    adds: 'Orders carry `paid`, `due` (rupees, what is held of payments and what is still to pay), `payOnDelivery`, and `adjustments` ([{ amount, name, at }]), what is owed less than the `total`. Any order with a `due` can be paid, unless it has ended or is paid on delivery.',
  },
  parcels: {
    adds: 'An order in several parcels carries `parcels` ([{ carrier, number, url }]), those that have left, the newest last. `tracking` is the newest.',
  },
  returnEndings: {
    adds: 'Returns carry `ending` (`replaced`, `refused`, `nothing_came`, `withdrawn`) and their `number` in the order, from 1. POST /orders/{id}/returns/{number}/withdraw withdraws one until its goods have arrived, and returns the order.',
  },
  logout: {
    adds: 'POST /users/logout ends the session of the bearer token. Signing out calls it, and succeeds whatever it returns.',
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof CAPABILITIES;

const isCapabilityName = (name: string): name is CapabilityName => Object.hasOwn(CAPABILITIES, name);

export const CAPABILITY_NAMES: readonly CapabilityName[] = Object.keys(CAPABILITIES).filter(isCapabilityName);

/** Returns the capabilities to build with. A build setting, if set, overrides the API's list. */
export const chosenCapabilities = (
  listed: readonly CapabilityName[],
  env: Readonly<Record<string, string | undefined>>,
): CapabilityName[] =>
  CAPABILITY_NAMES.filter((name) => {
    const { setting }: Capability = CAPABILITIES[name];
    return setting && env[setting] ? env[setting] === 'true' : listed.includes(name);
  });
