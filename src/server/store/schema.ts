import * as v from 'valibot';
import { CAPABILITY_NAMES } from '#domain/capabilities.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import {
  type LeafField,
  type RecordOf,
  STORE_FIELDS,
  type StoreField,
  type StoreTable,
} from '#domain/store-fields.ts';
import { tidyLines } from '#domain/text.ts';
import { PriceSchema } from '#server/services/dto.ts';
import { tidiedCode } from '#server/services/plain-text.ts';
import { type FieldWords, STORE_WORDS, type Words } from './fields.ts';

export const line = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.maxLength(2_000, 'is too long'),
);

/** Formats of texts, with the error for others. */
const SHAPES = {
  email: [v.pipe(v.string(), v.email()), 'must be an email address'],
  url: [
    v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//i)),
    'must be an address such as https://shop.example',
  ],
  https: [
    v.pipe(v.string(), v.url(), v.regex(/^https:\/\//i)),
    'must be an address that begins with https://',
  ],
} as const;

function textSchema(most: number, { control = 'text', isRequired = false, isHttps = false }: FieldWords) {
  const kind = isHttps ? 'https' : control;
  const [shape, mistake] =
    kind === 'email' || kind === 'url' || kind === 'https' ? SHAPES[kind] : [v.string(), ''];
  return v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(most, `must have at most ${most} characters`),
    control === 'text' || control === 'textarea' ? v.transform(tidyLines) : tidiedCode,
    v.check((text) => text !== '' || !isRequired, 'must not be empty'),
    v.check((text) => text === '' || text.length > most || v.is(shape, text), mistake),
  );
}

type Schema = v.GenericSchema<unknown, unknown>;

export function leafSchema(field: LeafField, words: FieldWords): Schema {
  switch (field.kind) {
    case 'text':
      return textSchema(field.most, words);
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
          v.maxValue(field.most, `must be at most ${field.most}`),
        ),
      );
    case 'lines':
      return v.pipe(
        v.array(
          v.pipe(
            textSchema(field.longest, field.isDigits ? { ...words, control: 'tel' } : words),
            v.check((text) => !field.isDigits || /^\d*$/.test(text), 'must be digits'),
          ),
        ),
        v.maxLength(field.most, `must have at most ${field.most} lines`),
      );
  }
}

/** Stored values have no limits: an earlier version of the server may have had other ones. */
const STORED_LEAVES: Readonly<Record<LeafField['kind'], Schema>> = {
  text: v.string(),
  picture: v.string(),
  money: v.nullable(v.number()),
  whole: v.nullable(v.number()),
  lines: v.array(v.string()),
};

/** The values of missing fields. */
const NOTHING = {
  text: '',
  picture: '',
  money: null,
  whole: null,
  lines: [],
  group: {},
  groups: [],
} as const;

function fieldSchema(field: StoreField, words: Words, isStored: boolean, path: string): Schema {
  if (field.kind !== 'group' && field.kind !== 'groups')
    return isStored ? STORED_LEAVES[field.kind] : leafSchema(field, words[path] ?? { label: path });
  const entries = entriesOf(field.fields, words, isStored, `${path}.`);
  const group = isStored ? v.object(entries) : v.strictObject(entries);
  return field.kind === 'group'
    ? group
    : v.pipe(v.array(group), v.maxLength(field.most, `must be at most ${field.most}`));
}

type Entries<Table> = { readonly [Name in keyof Table]: v.GenericSchema<unknown, RecordOf<Table>[Name]> };

/**
 * Returns a schema for each field of a table. An old record may lack a new field, so each is optional. The cast is needed
 * because TypeScript cannot derive the value's type from the field's kind.
 */
export const entriesOf = <Table extends StoreTable>(
  table: Table,
  words: Words,
  isStored = false,
  path = '',
) =>
  Object.fromEntries(
    Object.entries(table).map(([name, field]): [string, Schema] => [
      name,
      v.optional(fieldSchema(field, words, isStored, path + name), NOTHING[field.kind]),
    ]),
  ) as Entries<Table>;

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
  ...entriesOf(STORE_FIELDS, STORE_WORDS, true),
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

export type StoreInfo = v.InferOutput<typeof StoreInfoSchema>;

export const PolicySlugSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z-]{0,49}$/, 'must be a slug such as terms'),
);

/** The store record in `store.json` of a catalogue folder. Its policies are file names. */
export const StoreFileSchema = v.strictObject({
  ...entriesOf(STORE_FIELDS, STORE_WORDS),
  ...CATEGORIES,
  policies: v.record(
    PolicySlugSchema,
    v.pipe(
      v.string(),
      v.regex(/^policies\/[a-z][a-z-]*\.(?:md|html)$/, "must be a file such as 'policies/terms.md'"),
    ),
  ),
});

/** In characters, for the text and its HTML. The build of the site accepts no more. */
const POLICY_MOST = 200_000;

/** A policy in Markdown or HTML, as it is stored. */
export const PolicyTextSchema = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => text.trim() !== '', 'must not be empty'),
    v.maxLength(POLICY_MOST, `has more than ${POLICY_MOST} characters`),
    v.check(
      (text) => text.length > POLICY_MOST || policyHtmlOf(text).length <= POLICY_MOST,
      `has more than ${POLICY_MOST} characters as the HTML of a page`,
    ),
  ),
);

export type PolicyText = v.InferOutput<typeof PolicyTextSchema>;
