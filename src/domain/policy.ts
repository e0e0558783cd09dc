import { deliveryTexts } from './delivery-texts.ts';
import { formatRupees, isPrice } from './money.ts';
import { type Leaf, type StoreRecord, storeLeaves, valueAt } from './store-fields.ts';
import { displayName, type StoreInfo } from './store-info.ts';
import { escapeMarkup } from './text.ts';

/**
 * The policies, in the order of the footer. Each has a page `/{slug}` and links to it. The server may send its text. A
 * new one is a line here, a built-in text in `src/catalogue/policies/{slug}.md` that names the grievance officer, and
 * its Hindi name in `src/i18n/hi-shop.ts`.
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

/** The placeholder of the field `hero.title` is `heroTitle`. */
export const placeholderOf = (name: string): string =>
  name.replaceAll(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The fields of the store record that can be placeholders: all but lists. */
export const placeholderFields = (): Leaf[] =>
  storeLeaves().filter(
    ({ name, field }) => field.kind !== 'digits' && field.kind !== 'charges' && !/\d/.test(name),
  );

function textOf({ name, field }: Leaf, store: StoreRecord): string {
  const value = valueAt(store, name);
  if (field.kind === 'money') return isPrice(value) ? formatRupees(value) : '';
  return String(value ?? '');
}

/** Placeholders that are not fields of the store record, with their explanations for the staff. */
export const COMPOSED_PLACEHOLDERS = {
  deliveryTerms: 'What delivery costs, within a sentence',
  deliverySentence: 'What delivery costs, as a sentence',
  paymentProviders: 'Who takes the payments, and what data each receives',
  mailProvider: 'The company that delivers the emails',
  retention: 'How long data is stored that is deleted automatically',
} as const;

/** What the API says about itself, for the privacy policy. */
type About = Pick<StoreInfo, 'paymentProviders' | 'mailProvider' | 'retention'>;

const providersText = ({ paymentProviders = [] }: About): string =>
  paymentProviders.length === 0
    ? 'The payment provider: order number and amount'
    : paymentProviders
        .map(({ name, receives }) => `${name}, which takes the payment: ${receives}`)
        .join('; ');

/** Whole years as years, anything else as days. */
function spanText(days: number): string {
  const [count, unit] = days > 0 && days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const retentionText = ({ retention = [] }: About): string =>
  retention.length === 0
    ? 'e-mails, once nobody needs them any more'
    : retention.map(({ what, days, after }) => `${what} (${spanText(days)} after ${after})`).join('; ');

export function placeholderValues(store: StoreRecord & About): Readonly<Record<string, string>> {
  const fields = placeholderFields().map((leaf) => [placeholderOf(leaf.name), textOf(leaf, store)]);
  const storeName = displayName(store);
  const { terms, sentence } = deliveryTexts(store.delivery);
  const { grievanceOfficer: officer, companyEmail, companyPhone } = store;
  return {
    ...Object.fromEntries(fields),
    storeName,
    companyName: store.companyName || storeName,
    grievanceOfficerEmail: officer.email || companyEmail,
    grievanceOfficerPhone: officer.phone || companyPhone,
    ...({
      deliveryTerms: terms,
      deliverySentence: sentence,
      paymentProviders: providersText(store),
      mailProvider: store.mailProvider || 'A mail provider',
      retention: retentionText(store),
    } satisfies Record<keyof typeof COMPOSED_PLACEHOLDERS, string>),
  };
}

export const placeholderNames = (): string[] => [
  ...placeholderFields().map(({ name }) => placeholderOf(name)),
  ...Object.keys(COMPOSED_PLACEHOLDERS),
];

/** `companyName`, `company_name` and `COMPANY_NAME` are the same name. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\$\{\s*(\w+)\s*\}|\{\s*(\w+)\s*\}|\[\s*(\w+)\s*\]|%(\w+)%/g;

/**
 * Replaces each placeholder by the result of `write`, or leaves it unchanged if that is undefined.
 * @param write gets the name in lower case without underscores, the placeholder as written, and the next character
 */
export function replacePlaceholders(
  text: string,
  write: (name: string, placeholder: string, next: string) => string | undefined,
): string {
  return text.replace(PLACEHOLDER, (placeholder: string, ...rest: (string | number | undefined)[]) => {
    const [offset, name] = [Number(rest[5]), rest.slice(0, 5).find((group) => group !== undefined)];
    const next = text.charAt(offset + placeholder.length);
    return write(plain(String(name)), placeholder, next) ?? placeholder;
  });
}

/**
 * Replaces placeholders by values, escaped for HTML unless `written` says otherwise. Leaves unknown names unchanged.
 * Does not sanitise the HTML.
 */
export function fillPlaceholders(
  html: string,
  values: Readonly<Record<string, string>>,
  written: (value: string) => string = escapeMarkup,
): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [plain(name), value]));
  return replacePlaceholders(html, (name) => {
    const value = byName.get(name);
    return value === undefined ? undefined : written(value);
  });
}
