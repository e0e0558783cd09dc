import { escapeMarkup } from './markup.ts';

/**
 * The policies, in the order of the footer. A line makes the page `/{slug}`, its links in the footer and in the list of
 * policies, and the server may send its text. A new line also needs its own text in `src/catalogue/policies/{slug}.html` and its
 * name in Hindi in `src/messages/hi-shop.ts`.
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

type Values = Readonly<Record<string, string>>;

/** `companyName`, `company_name` and `COMPANY_NAME` are one name. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\$\{\s*(\w+)\s*\}|\{\s*(\w+)\s*\}|\[\s*(\w+)\s*\]|%(\w+)%/g;

/**
 * Policy HTML with the placeholders of resolutions 41 replaced by escaped values. A name that is not among `values`
 * stays as it is. The result is not clean yet.
 */
export function fillPlaceholders(html: string, values: Values): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [plain(name), value]));
  return html.replace(PLACEHOLDER, (whole: string, ...names: (string | undefined)[]) => {
    const name = names.slice(0, 5).find((group) => group !== undefined) ?? '';
    const value = byName.get(plain(name));
    return value === undefined ? whole : escapeMarkup(value);
  });
}
