import { escapeMarkup } from './markup.ts';

/**
 * The policies, in the order of the footer. An entry makes the page `/{slug}` and its links in the footer and in the
 * list of policies, and the server may send its text. A new entry also needs a built-in text in
 * `src/catalogue/policies/{slug}.html`, which names the grievance officer as the others do, and its name in Hindi in `src/messages/hi-shop.ts`.
 */
export const POLICIES = {
  terms: 'Terms & Conditions',
  privacy: 'Privacy Policy',
  refund: 'Refund and Cancellation Policy',
  return: 'Return Policy',
  shipping: 'Shipping Policy',
  about: 'About Us',
} as const;

export type PolicySlug = keyof typeof POLICIES;

export const isPolicySlug = (slug: string): slug is PolicySlug => Object.hasOwn(POLICIES, slug);

export const POLICY_SLUGS: readonly PolicySlug[] = Object.keys(POLICIES).filter(isPolicySlug);

/** The names that a text may hold as placeholders, and what is put there (resolutions 41). */
export const PLACEHOLDERS = {
  storeName: 'the shop’s name',
  companyName: 'the company’s name',
  companyAddress: 'its address',
  companyEmail: 'its email',
  companyPhone: 'its phone number',
  companyLogoUrl: 'the address of its logo',
  grievanceOfficerName: 'the grievance officer’s name',
  grievanceOfficerDesignation: 'the grievance officer’s designation',
} as const;

type Values = Readonly<Partial<Record<keyof typeof PLACEHOLDERS, string>>>;

/** `companyName`, `company_name` and `COMPANY_NAME` are the same name. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\$\{\s*(\w+)\s*\}|\{\s*(\w+)\s*\}|\[\s*(\w+)\s*\]|%(\w+)%/g;

/**
 * Replaces the placeholders of resolutions 41 in policy HTML by escaped values. Leaves names that are not in `values`
 * unchanged. Does not sanitise the HTML.
 */
export function fillPlaceholders(html: string, values: Values): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [plain(name), value]));
  return html.replace(PLACEHOLDER, (placeholder: string, ...names: (string | undefined)[]) => {
    const name = names.slice(0, 5).find((group) => group !== undefined) ?? '';
    const value = byName.get(plain(name));
    return value === undefined ? placeholder : escapeMarkup(value);
  });
}
