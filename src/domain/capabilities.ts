/** A line of a built-in text that begins so is true only where the API offers that, such as `<!--accountData-->`. */
const CAPABILITY_LINE = /^<!--(\w+)-->(.*\n)/gm;

/** A built-in text without what the API does not offer. */
export const onlySupported = (text: string, isSupported: (name: CapabilityName) => boolean): string =>
  text.replace(CAPABILITY_LINE, (_, name: string, line: string) =>
    CAPABILITY_NAMES.some((offer) => offer === name && isSupported(offer)) ? line : '',
  );

interface Capability {
  /** What the API does beyond section 7 of the specification, for whoever writes one. */
  readonly adds: string;
  /** The setting of the build that says 'true' or 'false' in place of the API's list. */
  readonly setting?: string;
}

/**
 * What an API may offer beyond section 7: it lists these names in `capabilities` of GET /storeInfo. A new capability
 * is an entry here and one in src/server/services/capabilities.ts. Pages and scripts ask `__CAPABILITIES__.name` whether the shop's API
 * offers it. The build replaces that by true or false, and leaves out the code that then cannot run.
 */
export const CAPABILITIES = {
  idempotencyKeys: {
    adds: 'POST /orders takes the header Idempotency-Key. The same order with the same key gets the same answer again.',
    setting: 'PUBLIC_IDEMPOTENCY_KEYS',
  },
  orderLines: {
    adds: 'POST /orders takes `lines` with the size and colour of each line, and stores them.',
    setting: 'PUBLIC_ORDER_LINES',
  },
  testPayments: {
    adds: 'Payments are tests: no money moves, and whoever buys decides whether an order was paid. The page of payment says so.',
  },
  emails: {
    adds: 'The API writes emails about orders. POST /users/register and POST /orders take `language`, `en` or `hi`, which the shopper reads.',
  },
  passwordReset: {
    adds: 'POST /users/forgot-password sends an email with a link to /reset-password, whose token POST /users/reset-password takes with the new password. It may answer a `device`.',
  },
  accountChanges: {
    adds: 'POST /users/name, /users/password and /users/email change the account of the bearer token. Both addresses confirm a change of email by links to /account-change, whose tokens POST /users/confirm-email takes.',
  },
  accountData: {
    adds: 'GET /users/data answers a file of everything that is kept about the user. POST /users/delete sends an email with a link to /account-data, whose token POST /users/confirm-deletion takes to delete the account.',
  },
  contact: {
    adds: 'POST /contact takes what the contact form says, and sends it to the company by email.',
  },
  cancelOrder: {
    adds: 'POST /orders/{id}/cancel cancels an order of the user until it is shipped, and answers it.',
  },
  returns: {
    adds: 'POST /orders/{id}/returns asks to return items of an order that has arrived. Orders carry `returns`, and `returnUntil` (ISO 8601) while that may be asked.',
  },
  logout: {
    adds: 'POST /users/logout ends the session of the bearer token. Signing out asks it, and succeeds whatever it answers.',
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof CAPABILITIES;

const isCapabilityName = (name: string): name is CapabilityName => Object.hasOwn(CAPABILITIES, name);

export const CAPABILITY_NAMES: readonly CapabilityName[] = Object.keys(CAPABILITIES).filter(isCapabilityName);

/** What the shop is built with: a setting decides where it is set, else what the API lists. */
export const chosenCapabilities = (
  listed: readonly CapabilityName[],
  env: Readonly<Record<string, string | undefined>>,
): CapabilityName[] =>
  CAPABILITY_NAMES.filter((name) => {
    const { setting }: Capability = CAPABILITIES[name];
    return setting && env[setting] ? env[setting] === 'true' : listed.includes(name);
  });
