import type { Rupees } from './money.ts';

/**
 * How a single value is stored and sent. Where the shop says nothing, a text and a picture's address are '', an amount
 * in rupees and a whole number are null, and lines are an empty list. A new kind is a line here and one in `ValueOf`, and a
 * case wherever TypeScript then misses it: how it is read (src/api/schema/store-info.ts), saved and stored
 * (src/server/store/schema.ts), and asked for in the admin (src/server/store/record-form.ts).
 */
export type LeafField =
  /** `most` is in characters. */
  | { readonly kind: 'text'; readonly most: number }
  | { readonly kind: 'picture' }
  | { readonly kind: 'money' }
  /** From 0 to `most`. */
  | { readonly kind: 'whole'; readonly most: number }
  /** At most `most` lines, each of at most `longest` characters, or digits alone. */
  | {
      readonly kind: 'lines';
      readonly most: number;
      readonly longest: number;
      readonly isDigits?: true;
    };

type Leaves = Readonly<Record<string, LeafField>>;

/** A group is several values under one name; groups are a list of at most `most` of them. */
export type StoreField =
  | LeafField
  | { readonly kind: 'group'; readonly fields: Leaves }
  | { readonly kind: 'groups'; readonly fields: Leaves; readonly most: number };

export type StoreTable = Readonly<Record<string, StoreField>>;

export type ValueOf<Field> = Field extends { readonly kind: 'text' | 'picture' }
  ? string
  : Field extends { readonly kind: 'money' }
    ? Rupees | null
    : Field extends { readonly kind: 'whole' }
      ? number | null
      : Field extends { readonly kind: 'lines' }
        ? readonly string[]
        : Field extends { readonly kind: 'group'; readonly fields: infer Fields }
          ? RecordOf<Fields>
          : Field extends { readonly kind: 'groups'; readonly fields: infer Fields }
            ? readonly RecordOf<Fields>[]
            : never;

export type RecordOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

const text = (most: number) => ({ kind: 'text', most }) as const;
const MONEY = { kind: 'money' } as const;
const DAYS = { kind: 'whole', most: 365 } as const;
const PERCENT = { kind: 'whole', most: 100 } as const;

/**
 * What the shop says about itself, by the names of the API. A new field is a line here and a line with the
 * staff's words in STORE_WORDS (src/server/store/fields.ts). What is stored, sent and read, the admin's form, its
 * conflicts, and the placeholders of policies follow from the two.
 */
export const STORE_FIELDS = {
  storeName: text(200),
  companyName: text(200),
  companyAddress: text(500),
  companyEmail: text(320),
  companyPhone: text(40),
  companyLogoUrl: { kind: 'picture' },
  description: text(2_000),
  siteUrl: text(200),
  supportHours: text(100),
  grievanceOfficer: {
    kind: 'group',
    fields: {
      name: text(200),
      designation: text(200),
      email: text(320),
      phone: text(40),
      hours: text(100),
    },
  },
  licences: {
    kind: 'group',
    fields: { fssai: text(40), gstin: text(40) },
  },
  // Days are a span such as '2-4', because nobody can promise one day.
  delivery: {
    kind: 'group',
    fields: {
      charge: MONEY,
      freeFrom: MONEY,
      days: text(20),
      bulkDays: text(20),
    },
  },
  returnDays: DAYS,
  refundDays: DAYS,
  hero: {
    kind: 'group',
    fields: {
      title: text(80),
      text: text(300),
      picture: { kind: 'picture' },
      alt: text(200),
      // In per cent from the left and from the top.
      focusX: PERCENT,
      focusY: PERCENT,
    },
  },
  trust: {
    kind: 'groups',
    most: 4,
    fields: { title: text(40), text: text(60) },
  },
  whatsapp: text(40),
  newsletterUrl: text(300),
  social: {
    kind: 'groups',
    most: 4,
    fields: { name: text(40), url: text(300) },
  },
  cashOnDelivery: {
    kind: 'group',
    fields: {
      most: MONEY,
      pinCodes: { kind: 'lines', most: 500, longest: 6, isDigits: true },
    },
  },
} as const satisfies StoreTable;

/** The store record without its categories and policies. */
export type StoreRecord = RecordOf<typeof STORE_FIELDS>;

/** A place for a single value. Its name is a path, such as 'storeName', 'delivery.charge' or 'tiles.0.title'. */
export interface Leaf {
  readonly name: string;
  readonly field: LeafField;
}

/** All places of a record, in the order of the table, with as many groups as a list may have. */
export function leavesOf(table: StoreTable, path = ''): Leaf[] {
  return Object.entries(table).flatMap(([key, field]): Leaf[] => {
    const name = path + key;
    if (field.kind === 'group') return leavesOf(field.fields, `${name}.`);
    if (field.kind !== 'groups') return [{ name, field }];
    return Array.from({ length: field.most }, (_, index) =>
      leavesOf(field.fields, `${name}.${index}.`),
    ).flat();
  });
}

/** The value at a place of a record; undefined where the record has none. */
export const valueAt = (record: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      record,
    );

/** Whether a single value says nothing. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether no field of a group says anything. */
export const isEmptyGroup = (group: object): boolean => Object.values(group).every(isNothing);

/** A record of which parts are given, such as the defaults of fields. */
export type PartOf<T> = {
  readonly [Name in keyof T]?: T[Name] extends readonly unknown[]
    ? T[Name]
    : T[Name] extends object
      ? PartOf<T[Name]>
      : T[Name];
};

/** The record with the defaults where it says nothing. A list is taken whole: from the record, or from the defaults. */
export function withDefaults<T extends object>(record: T, defaults: PartOf<T>): T {
  const filled = Object.entries(defaults).map(([key, preset]) => {
    const value: unknown = Reflect.get(record, key);
    const isGroup = typeof preset === 'object' && preset !== null && !Array.isArray(preset);
    if (isGroup && typeof value === 'object' && value !== null) return [key, withDefaults(value, preset)];
    return [key, isNothing(value) ? preset : value];
  });
  return { ...record, ...Object.fromEntries(filled) };
}

/** Makes a record of its single values. A group of a list that has none is left out. */
export function recordFrom(
  table: StoreTable,
  leafValue: (leaf: Leaf) => unknown,
  path = '',
): Record<string, unknown> {
  const entries = Object.entries(table).map(([key, field]) => {
    const name = path + key;
    if (field.kind === 'group') return [key, recordFrom(field.fields, leafValue, `${name}.`)];
    if (field.kind !== 'groups') return [key, leafValue({ name, field })];
    const groups = Array.from({ length: field.most }, (_, index) =>
      recordFrom(field.fields, leafValue, `${name}.${index}.`),
    );
    return [key, groups.filter((group) => !isEmptyGroup(group))];
  });
  return Object.fromEntries(entries);
}
