import type { CapabilityName } from '#domain/capabilities.ts';
import { POLICIES, POLICY_SLUGS, type PolicySlug } from '#domain/policy.ts';
import { paths } from '#paths.ts';

export interface PageRow {
  /** The address. A final `*` stands for the id of a product. */
  readonly path: string;
  /** The budget: the most KiB of HTML, CSS and JavaScript until the load event of a first visit. */
  readonly kib: number;
  /** Where most visits begin. The document must arrive in one round trip, with few other requests. */
  readonly isEntrance?: true;
  /** A React island renders it, so it must say that it needs JavaScript. */
  readonly isIsland?: true;
  /** Opening it has an effect, or its content is personal. speculation-rules.ts never prefetches it. */
  readonly isPersonal?: true;
  /** Redirects to the sign-in without a session. */
  readonly isSignedIn?: true;
  /** The query of its address holds the order's id. */
  readonly needsOrder?: true;
  /** May send the browser to a payment gateway. */
  readonly handsOver?: true;
  /** Built only if the API has this capability. */
  readonly capability?: CapabilityName;
  /** Has neither header nor footer. */
  readonly isBare?: true;
  /** `Referrer-Policy`; the default is 'strict-origin-when-cross-origin'. */
  readonly referrer?: 'no-referrer' | 'strict-origin';
  /** Its link in the footer: the group and the name. */
  readonly footer?: readonly [group: 'Help' | 'Company', name: string];
}

const CONTENT = { kib: 12 } as const;
const ENTRANCE = { kib: 15.4, isEntrance: true } as const;
const ISLAND = { kib: 83.6, isIsland: true } as const;
const PERSONAL = { ...ISLAND, isPersonal: true } as const;
const PRIVATE = { ...PERSONAL, isSignedIn: true } as const;

const policyRow = (slug: PolicySlug): PageRow => ({
  path: paths.policy(slug),
  ...CONTENT,
  footer: ['Help', POLICIES[slug]],
});

const ROWS = {
  home: { path: paths.home, ...ENTRANCE },
  products: { path: paths.products, ...ENTRANCE },
  product: { path: '/product/*', ...ENTRANCE },
  search: { path: paths.search, kib: 15 },
  cart: { path: paths.cart, ...PERSONAL },
  checkout: { path: paths.checkout, ...PRIVATE, kib: 85 },
  payment: {
    path: '/payment',
    ...PRIVATE,
    kib: 90.9,
    needsOrder: true,
    handsOver: true,
    // Payment gateways check from which shop a form came.
    referrer: 'strict-origin',
  },
  // Its address may hold an order's number or a contact.
  orderSuccess: { path: paths.orderSuccess, ...CONTENT, referrer: 'no-referrer' },
  login: { path: paths.login, ...PERSONAL, isBare: true },
  register: { path: paths.register, ...PERSONAL, isBare: true },
  forgotPassword: { path: paths.forgotPassword, ...ISLAND, isBare: true, capability: 'passwordReset' },
  resetPassword: {
    path: paths.resetPassword,
    ...ISLAND,
    isBare: true,
    capability: 'passwordReset',
    referrer: 'no-referrer',
  },
  ...(Object.fromEntries(POLICY_SLUGS.map((slug) => [slug, policyRow(slug)])) as Record<PolicySlug, PageRow>),
  contact: { path: paths.contact, ...CONTENT, footer: ['Help', 'Contact Us'] },
  account: { path: paths.account, ...PRIVATE, footer: ['Company', 'My Account'] },
  // Emails link to these two pages.
  accountChange: {
    path: paths.accountChange,
    ...PRIVATE,
    capability: 'accountChanges',
    referrer: 'no-referrer',
  },
  accountData: { path: paths.accountData, ...PRIVATE, capability: 'accountData', referrer: 'no-referrer' },
  orders: { path: paths.orders, ...PRIVATE, kib: 84.9, footer: ['Company', 'My Orders'] },
  // Scripts render its cards.
  wishlist: { path: paths.wishlist, kib: 17, footer: ['Company', 'Wishlist'] },
  trackOrder: {
    path: paths.trackOrder,
    ...ISLAND,
    referrer: 'no-referrer',
    footer: ['Company', 'Track Order'],
  },
  device: { path: paths.device, kib: 15, footer: ['Company', 'What this device keeps'] },
  apiTest: { path: paths.apiTest, ...PERSONAL },
  offline: { path: '/offline', ...CONTENT },
  notFound: { path: paths.notFound, ...CONTENT },
} satisfies Record<string, PageRow>;

/**
 * Every page of the shop, in the order of the footer's links, for the build, the publisher and the tests. Scripts of pages
 * must not import it. A new page also needs its address in src/paths.ts and its file in src/pages.
 */
export const PAGES: Readonly<Record<keyof typeof ROWS, PageRow>> = ROWS;

/** Where gateways send the shopper back, some by POST. Hosts answer that with a redirect to the page itself. */
export const RETURN_PATHS: readonly string[] = [PAGES.payment.path, PAGES.orderSuccess.path];

/** Returns the built file, such as `track-order.html`, or `product/*` for all products. */
export const fileOf = ({ path }: PageRow): string => {
  if (path.endsWith('*')) return path.slice(1);
  return path === paths.home ? 'index.html' : `${path.slice(1)}.html`;
};

const rowsByFile = new Map<string, PageRow>(Object.values(PAGES).map((row) => [fileOf(row), row]));

/** @param file as `fileOf` returns it */
export const rowOf = (file: string): PageRow | undefined => rowsByFile.get(file);
