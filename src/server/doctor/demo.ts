import { STORE_DEFAULTS } from '#site.ts';

const DEMO_COMPANY = 'Fresh Fruits Retail Private Limited';

/** The seller, as in the store record. */
interface Seller {
  readonly siteUrl: string;
  readonly companyName: string;
  readonly grievanceOfficer: { readonly name: string };
}

/** Whether the address is reserved, so that nobody can own it (RFC 2606), or is not on the web. */
export const isReserved = (origin: string): boolean =>
  !/^https?:/i.test(origin) ||
  !URL.canParse(origin) ||
  /\.(example|invalid|test)$/.test(new URL(origin).hostname);

interface DemoFacts {
  readonly shop: { readonly store: Seller } | undefined;
}

/** Statements on the pages that hold only for the demo shop. Missing fields of the record have the defaults. */
export const DEMO_CHECKS = [
  {
    name: 'address',
    todo: "Set 'Address of the shop' on the Store page of the admin, or siteUrl in store.json and run npm run catalogue -- replace FOLDER.",
    page: '/store',
    find({ shop }: DemoFacts) {
      const address = shop?.store.siteUrl || STORE_DEFAULTS.siteUrl;
      return (
        shop &&
        isReserved(address) &&
        `The address of the shop is ${address}, which nobody can have. Search engines would be sent there.`
      );
    },
  },
  {
    name: 'company',
    todo: "Set 'Company name' on the Store page of the admin, or companyName in store.json and run npm run catalogue -- replace FOLDER.",
    page: '/store',
    find: ({ shop }: DemoFacts) =>
      shop?.store.companyName === DEMO_COMPANY &&
      `The seller is '${DEMO_COMPANY}', the company of the demo shop.`,
  },
  {
    name: 'officer',
    todo: 'Set the grievance officer on the Store page of the admin, or grievanceOfficer in store.json and run npm run catalogue -- replace FOLDER.',
    page: '/store',
    find: ({ shop }: DemoFacts) =>
      shop &&
      ['', STORE_DEFAULTS.grievanceOfficer.name].includes(shop.store.grievanceOfficer.name) &&
      `The grievance officer is '${STORE_DEFAULTS.grievanceOfficer.name}', the one of the demo shop.`,
  },
] as const;

/** Returns a line for each false statement on the pages of a live shop, with what to do. */
export const falseClaims = (store: Seller): string[] =>
  DEMO_CHECKS.flatMap(({ find, todo }) => {
    const problem = find({ shop: { store } });
    return problem ? [`${problem} ${todo}`] : [];
  });
