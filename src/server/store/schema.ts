import * as v from 'valibot';
import { PAYMENT_KINDS, PRODUCT_TERMS, type ProductTerms, STORE_TERMS } from '#domain/buying/facts.ts';
import { CAPABILITY_NAMES } from '#domain/capabilities.ts';
import { normalisePin } from '#domain/pin.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import {
  EMPTY,
  type LeafField,
  STORE_FIELDS,
  type StoreField,
  type StoreRecord,
  type TextFormat,
} from '#domain/store-fields.ts';
import { tidyCode, tidyLines } from '#domain/text.ts';
import { isDay, PriceSchema, tidiedCode } from '#server/http/sent-values.ts';

export const line = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.maxLength(2_000, 'is too long'),
);

/** What a format requires, with the error for other texts. */
const FORMATS: Readonly<Partial<Record<TextFormat, readonly [v.GenericSchema, string]>>> = {
  email: [v.pipe(v.string(), v.email()), 'must be an email address'],
  url: [
    v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i)),
    'must be an address such as https://shop.example',
  ],
  https: [
    v.pipe(v.string(), v.url(), v.regex(/^https:\/\//i)),
    'must be an address that begins with https://',
  ],
  date: [v.pipe(v.string(), v.check(isDay)), 'must be a day such as 2026-11-25'],
};

/** A text without a format, or of several lines, is for reading. */
function textSchema(max: number, format: TextFormat = 'textarea') {
  const [schema, error] = FORMATS[format] ?? [v.string(), ''];
  return v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(max, `must have at most ${max} characters`),
    format === 'textarea' ? v.transform(tidyLines) : tidiedCode,
    v.check((text) => text === '' || text.length > max || v.is(schema, text), error),
  );
}

type Schema = v.GenericSchema<unknown, unknown>;

const REQUIRED = ['storeName', 'companyName', 'companyAddress', 'companyEmail', 'companyPhone'];

export const isRequired = (name: string): boolean => REQUIRED.includes(name);

const tooManyPlaces = (max: number): string =>
  `must have at most ${max} lines: write the first digits of PIN codes that belong together, such as 411`;

const PIN_START = 'must be PIN codes or their first digits, such as 411001 or 411';

const PinStartSchema = v.pipe(
  v.string(),
  v.maxLength(60, PIN_START),
  v.transform((text) => normalisePin(tidyCode(text))),
  v.regex(/^[1-9]\d{0,5}$/, PIN_START),
);

/** @param name such as 'storeName' or 'delivery.charge' */
export function leafSchema(name: string, field: LeafField): Schema {
  switch (field.kind) {
    case 'text': {
      const schema = textSchema(field.max, field.format);
      return isRequired(name) ? v.pipe(schema, v.nonEmpty('must not be empty')) : schema;
    }
    case 'picture':
      return v.string();
    case 'money':
      return v.nullable(PriceSchema);
    case 'whole':
      return v.nullable(
        v.pipe(
          v.number('must be a whole number'),
          v.integer('must be a whole number'),
          v.minValue(0, 'must not be negative'),
          v.maxValue(field.max, `must be at most ${field.max}`),
        ),
      );
    case 'digits':
      return v.pipe(
        v.array(v.string()),
        // Lists that are pasted have commas.
        v.transform((lines) => lines.flatMap((text) => text.split(/[,;]/)).filter((text) => text.trim())),
        v.array(PinStartSchema),
        v.maxLength(field.max, tooManyPlaces(field.max)),
      );
    case 'charges':
      return v.pipe(
        v.array(v.strictObject({ digits: PinStartSchema, charge: PriceSchema })),
        v.maxLength(field.max, tooManyPlaces(field.max)),
      );
  }
}

type TermEntries = {
  readonly [Name in keyof ProductTerms]-?: v.OptionalSchema<
    v.GenericSchema<unknown, NonNullable<ProductTerms[Name]>>,
    undefined
  >;
};

/** What the staff enter about buying a product. Empty values are left out. The cast is needed as that of `entriesOf`. */
export const PRODUCT_TERM_ENTRIES = Object.fromEntries(
  Object.entries(PRODUCT_TERMS).map(([name, field]) => [
    name,
    v.optional(
      v.pipe(
        leafSchema(name, field),
        // An empty list is an empty text.
        v.transform((value) => (value && String(value) ? value : undefined)),
      ),
    ),
  ]),
) as Record<keyof TermEntries, unknown> as TermEntries;

/** Stored values have no limits: an earlier version of the server may have had other ones. */
const STORED_LEAVES: Readonly<Record<LeafField['kind'], Schema>> = {
  text: v.string(),
  picture: v.string(),
  money: v.nullable(v.number()),
  whole: v.nullable(v.number()),
  digits: v.array(v.string()),
  charges: v.array(v.object({ digits: v.string(), charge: v.number() })),
};

type Entries = { readonly [Name in keyof StoreRecord]: v.GenericSchema<unknown, StoreRecord[Name]> };

/**
 * Returns a schema for each field. An old record may lack a new field, so each is optional. The cast is needed because
 * TypeScript cannot derive the value's type from the field's kind.
 */
function entriesOf(leaf: typeof leafSchema, groupOf: (entries: v.ObjectEntries) => Schema): Entries {
  const fieldsOf = (fields: Readonly<Record<string, StoreField>>, path: string): v.ObjectEntries =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]): [string, Schema] => {
        if (field.kind !== 'group' && field.kind !== 'list')
          return [name, v.optional(leaf(path + name, field), EMPTY[field.kind])];
        const group = groupOf(fieldsOf(field.fields, `${name}.`));
        if (field.kind === 'group') return [name, v.optional(group, {})];
        const list = v.pipe(v.array(group), v.maxLength(field.max, `must be at most ${field.max}`));
        return [name, v.optional(list, [])];
      }),
    );
  return fieldsOf(STORE_FIELDS, '') as Entries;
}

/** The most changed addresses of each kind. */
export const MOVED_LIMIT = 500;

const CATEGORIES = {
  categories: v.pipe(v.array(line), v.maxLength(200, 'has too many categories')),
  categoryImages: v.record(v.string(), v.string()),
  moved: v.pipe(
    v.optional(
      v.object({ categories: v.record(v.string(), v.string()), products: v.record(v.string(), v.string()) }),
    ),
    v.description(
      'Addresses that changed: new names by the old ones in lower case, new ids by the old ones.',
    ),
  ),
};

/** The store record in the database and in the API. */
export const StoreInfoSchema = v.object({
  ...entriesOf((_name, { kind }) => STORED_LEAVES[kind], v.object),
  ...CATEGORIES,
  policies: v.record(v.string(), v.string()),
});

export const StoreAnswerSchema = v.object({
  ...StoreInfoSchema.entries,
  capabilities: v.pipe(
    v.optional(v.array(v.picklist(CAPABILITY_NAMES))),
    v.description('What the API supports beyond these calls. A shop uses only what is listed.'),
  ),
  paymentProviders: v.pipe(
    v.optional(v.array(v.object({ name: v.string(), receives: v.string() }))),
    v.description('Who takes the payments, and what data of the shopper and the order each receives.'),
  ),
  paymentMethods: v.pipe(
    v.optional(v.array(v.picklist(PAYMENT_KINDS))),
    v.description('How an order can be paid: before it is packed, or in cash on delivery.'),
  ),
  mailProvider: v.pipe(
    v.optional(v.string()),
    v.description("The provider that delivers the shop's emails."),
  ),
  retention: v.pipe(
    v.optional(v.array(v.object({ what: v.string(), days: v.number(), after: v.string() }))),
    v.description('The data of a shopper that is stored, and for how many days after which event.'),
  ),
  pricesSince: v.pipe(
    v.optional(v.string()),
    v.description('When a planned price last began or ended, an ISO time. The watcher then publishes.'),
  ),
});

/** What decides which orders are taken. It changes by the minute, and cart and checkout always fetch it. */
export const StoreTermsSchema = v.pick(StoreAnswerSchema, [...STORE_TERMS, 'paymentMethods']);

export type StoreInfo = v.InferOutput<typeof StoreInfoSchema>;

export const PolicySlugSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z-]{0,49}$/, 'must be a slug such as terms'),
);

/** What is wrong with values that are right one by one. */
export function recordErrors({ pause, delivery }: Pick<StoreRecord, 'pause' | 'delivery'>) {
  const digits = delivery.places.map((place) => place.digits);
  const twice = digits.find((each, index) => digits.indexOf(each) !== index);
  return new Map([
    ...(pause.until < pause.from
      ? [['pause.until', 'must be the last day, not before the first'] as const]
      : []),
    ...(twice === undefined ? [] : [['delivery.places', `must name ${twice} once`] as const]),
  ]);
}

/** The store record in `store.json` of a catalogue folder. Its policies are file names. */
export const StoreFileSchema = v.pipe(
  v.strictObject({
    ...entriesOf(leafSchema, v.strictObject),
    ...CATEGORIES,
    policies: v.record(
      PolicySlugSchema,
      v.pipe(
        v.string(),
        v.regex(/^policies\/[a-z][a-z-]*\.(?:md|html)$/, "must be a file such as 'policies/terms.md'"),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const [name, message] of recordErrors(dataset.value)) addIssue({ message: `${name} ${message}` });
  }),
);

/** In characters, for the text and its HTML. The build of the site accepts no more. */
const MAX_POLICY_LENGTH = 200_000;

/** A policy in Markdown or HTML, as it is stored. */
export const PolicyTextSchema = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => text.trim() !== '', 'must not be empty'),
    v.maxLength(MAX_POLICY_LENGTH, `has more than ${MAX_POLICY_LENGTH} characters`),
    v.check(
      (text) => text.length > MAX_POLICY_LENGTH || policyHtmlOf(text).length <= MAX_POLICY_LENGTH,
      `has more than ${MAX_POLICY_LENGTH} characters as the HTML of a page`,
    ),
  ),
);

export type PolicyText = v.InferOutput<typeof PolicyTextSchema>;
