import { STORE_DEFAULTS } from '#site.ts';

const DEMO_COMPANY = 'Fresh Fruits Retail Private Limited';

/** The seller, as in the store record. */
interface Seller {
  readonly siteUrl: string;
  readonly companyName: string;
  readonly grievanceOfficer: { readonly name: string };
}

/** Whether nobody can own the address (RFC 2606), or it is not of the web. */
export const isReserved = (origin: string): boolean =>
  !/^https?:/i.test(origin) ||
  !URL.canParse(origin) ||
  /\.(example|invalid|test)$/.test(new URL(origin).hostname);

interface Claim {
  readonly name: string;
  /** Returns what is false, in a sentence; undefined if nothing is. */
  readonly problemOf: (record: Seller) => string | undefined;
  readonly todo: string;
}

/** Statements of the pages that are true of the demo shop alone. Missing fields of the record have the defaults. */
export const DEMO_CLAIMS: readonly Claim[] = [
  {
    name: 'address',
    problemOf: ({ siteUrl }) =>
      isReserved(siteUrl || STORE_DEFAULTS.siteUrl)
        ? `The address of the shop is ${siteUrl || STORE_DEFAULTS.siteUrl}, which nobody can have. Search engines would be sent there.`
        : undefined,
    todo: "Set 'Address of the shop' on the Store page of the admin, or siteUrl in store.json and run npm run catalogue -- replace FOLDER.",
  },
  {
    name: 'company',
    problemOf: ({ companyName }) =>
      companyName === DEMO_COMPANY
        ? `The seller is '${companyName}', the company of the demo shop.`
        : undefined,
    todo: "Set 'Company name' on the Store page of the admin, or companyName in store.json and run npm run catalogue -- replace FOLDER.",
  },
  {
    name: 'officer',
    problemOf: ({ grievanceOfficer: { name } }) =>
      name === '' || name === STORE_DEFAULTS.grievanceOfficer.name
        ? `The grievance officer is '${STORE_DEFAULTS.grievanceOfficer.name}', the one of the demo shop.`
        : undefined,
    todo: 'Set the grievance officer on the Store page of the admin, or grievanceOfficer in store.json and run npm run catalogue -- replace FOLDER.',
  },
];

/** Returns what would be false on the pages of a live shop, a line each with what to do. */
export const falseClaims = (record: Seller): string[] =>
  DEMO_CLAIMS.flatMap(({ problemOf, todo }) => {
    const problem = problemOf(record);
    return problem === undefined ? [] : [`${problem} ${todo}`];
  });
