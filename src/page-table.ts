import type { CapabilityName } from '#domain/capabilities.ts';
import { POLICIES, POLICY_SLUGS, type PolicySlug } from '#domain/policy.ts';
import { paths } from '#paths.ts';

export interface PageRow {
  /** The address. A final `*` stands for the id of a product. */
  readonly path: string;
  /** The most KiB of HTML, CSS and JavaScript until the load event of a first visit. */
  readonly kib: number;
  /** Where most visits begin: the document comes in one round trip, with few other requests. */
  readonly isEntrance?: true;
  /** A React island draws it, so it says that it needs JavaScript. */
  readonly isIsland?: true;
  /** Opening it has an effect, or its content is personal. speculation-rules.ts has it never fetched ahead. */
  readonly isPersonal?: true;
  /** Without a session it leads to the sign-in. */
  readonly isSignedIn?: true;
  /** The query of its address says which order it is about. */
  readonly needsOrder?: true;
  /** It may hand the browser over to a payment gateway. */
  readonly handsOver?: true;
  /** It is built only where the API capabilities this. */
  readonly capability?: CapabilityName;
  /** It has neither header nor footer. */
  readonly isBare?: true;
  /** Its `Referrer-Policy`, where it is not 'strict-origin-when-cross-origin'. */
  readonly referrer?: 'no-referrer' | 'strict-origin';
  /** Its link in the footer: the group and the name. */
  readonly footer?: readonly [group: 'Help' | 'Company', name: string];
}

const CONTENT = { kib: 12 } as const;
const ENTRANCE = { kib: 15, isEntrance: true } as const;
const ISLAND = { kib: 79, isIsland: true } as const;
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
  // Its desk comes with the first scripts, so that the form is there one round trip sooner.
  checkout: { path: paths.checkout, ...PRIVATE, kib: 80 },
  payment: {
    path: '/payment',
    ...PRIVATE,
    kib: 88,
    needsOrder: true,
    handsOver: true,
    // Payment gateways check which shop a form came from.
    referrer: 'strict-origin',
  },
  // The addresses of these two may hold an order's number or a contact.
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
  // The links of emails open these two, on any device.
  accountChange: {
    path: paths.accountChange,
    ...PRIVATE,
    capability: 'accountChanges',
    referrer: 'no-referrer',
  },
  accountData: { path: paths.accountData, ...PRIVATE, capability: 'accountData', referrer: 'no-referrer' },
  orders: { path: paths.orders, ...PRIVATE, footer: ['Company', 'My Orders'] },
  // Scripts draw its cards, and it has the wish list's code of the product page.
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
 * Every page of the shop, in the order of the footer's links. The build, the publisher and the tests read it, but no script
 * of a page may. A new page also needs its address in src/paths.ts and its file in src/pages.
 */
export const PAGES: Readonly<Record<keyof typeof ROWS, PageRow>> = ROWS;

/** The page's file in the built site, such as `track-order.html`, or `product/*` for the family. */
export const fileOf = ({ path }: PageRow): string => {
  if (path.endsWith('*')) return path.slice(1);
  return path === paths.home ? 'index.html' : `${path.slice(1)}.html`;
};

const rowsByFile = new Map<string, PageRow>(Object.values(PAGES).map((row) => [fileOf(row), row]));

/** The row of a built file or family of files; undefined if the table has none. */
export const rowOf = (file: string): PageRow | undefined => rowsByFile.get(file);
