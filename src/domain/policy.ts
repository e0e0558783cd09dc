import { deliveryWords } from './delivery.ts';
import { formatRupees, isPrice } from './money.ts';
import {
  type Leaf,
  type LeafField,
  leavesOf,
  STORE_FIELDS,
  type StoreRecord,
  valueAt,
} from './store-fields.ts';
import { displayName, type StoreInfo } from './store-info.ts';
import { escapeMarkup } from './text.ts';

/**
 * The policies, in the order of the footer. An entry makes the page `/{slug}` and its links in the footer and in the
 * list of policies, and the server may send its text. A new entry also needs a built-in text in
 * `src/catalogue/policies/{slug}.md`, which names the grievance officer as the others do, and its name in Hindi in `src/i18n/hi-shop.ts`.
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

/** A field's placeholder: `hero.title` of the store record is `heroTitle`. */
export const placeholderOf = (name: string): string =>
  name.replaceAll(/\.([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The fields of the store record that a text may hold as placeholders: all but lists. */
export const placeholderFields = (): Leaf[] =>
  leavesOf(STORE_FIELDS).filter(({ name, field }) => field.kind !== 'lines' && !/\d/.test(name));

function textOf({ kind }: LeafField, value: unknown): string {
  if (kind === 'money') return isPrice(value) ? formatRupees(value) : '';
  return String(value ?? '');
}

/** Placeholders that are no field of the store record, and what the staff reads of them. */
export const COMPOSED_PLACEHOLDERS = {
  deliveryTerms: 'What delivery costs, within a sentence',
  deliverySentence: 'What delivery costs, as a sentence',
  paymentProviders: 'Who takes the payments, and is told what',
  mailProvider: 'Who carries the emails',
  retention: 'How long things are kept that go by themselves',
} as const;

/** What an API says of itself in the store record. */
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

/** What stands in a text in place of its placeholders. */
export function placeholderValues(store: StoreRecord & About): Readonly<Record<string, string>> {
  const fields = placeholderFields().map(({ name, field }) => [
    placeholderOf(name),
    textOf(field, valueAt(store, name)),
  ]);
  const storeName = displayName(store);
  const { terms, sentence } = deliveryWords(store.delivery);
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

/** The names of all placeholders. */
export const placeholderNames = (): string[] => [
  ...placeholderFields().map(({ name }) => placeholderOf(name)),
  ...Object.keys(COMPOSED_PLACEHOLDERS),
];

/** `companyName`, `company_name` and `COMPANY_NAME` are the same name. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\$\{\s*(\w+)\s*\}|\{\s*(\w+)\s*\}|\[\s*(\w+)\s*\]|%(\w+)%/g;

/**
 * Replaces placeholders by what `write` returns for a name, in small letters without underscores.
 * Leaves those unchanged for which it returns undefined.
 * @param write gets the placeholder as it is written and the character after it, too
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
 * Replaces placeholders in a policy's HTML by escaped values, or in a plain text by `written` ones.
 * Leaves names that are not in `values` unchanged. Does not sanitise the HTML.
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
