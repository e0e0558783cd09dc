import type { Rupees } from './money.ts';

/**
 * How a single value is stored and sent. Empty values: '' for a text or a picture's address, null for an amount in rupees
 * or a whole number, [] for lines. A new kind is a line here, a line in `ValueOf`, and a case wherever TypeScript then
 * reports it missing (src/api/schema/store-info.ts, and schema.ts and record-form.tsx of src/server/store).
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

/** A 'group' is an object of values. 'groups' is a list of at most `most` objects. */
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
 * The fields of the store record, by the API's names. A new field is a line here and its label in STORE_WORDS
 * (src/server/store/fields.ts). Storage, API, admin form, edit conflicts and policy placeholders follow from both.
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
  // Days are a range such as '2-4'.
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

/** A single value. Its name is a path, such as 'storeName', 'delivery.charge' or 'trust.0.title'. */
export interface Leaf {
  readonly name: string;
  readonly field: LeafField;
}

/** Returns all leaves in the order of the table. A list has as many groups as it may hold. */
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

/** Returns the value at a path such as 'delivery.charge', or undefined. */
export const valueAt = (record: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      record,
    );

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export const isEmptyGroup = (group: object): boolean => Object.values(group).every(isEmpty);

/** A deep partial that takes lists whole. */
export type PartOf<T> = {
  readonly [Name in keyof T]?: T[Name] extends readonly unknown[]
    ? T[Name]
    : T[Name] extends object
      ? PartOf<T[Name]>
      : T[Name];
};

/** Fills empty values with the defaults. Lists are not merged. */
export function withDefaults<T extends object>(record: T, defaults: PartOf<T>): T {
  const filled = Object.entries(defaults).map(([key, preset]) => {
    const value: unknown = Reflect.get(record, key);
    const isGroup = typeof preset === 'object' && preset !== null && !Array.isArray(preset);
    if (isGroup && typeof value === 'object' && value !== null) return [key, withDefaults(value, preset)];
    return [key, isEmpty(value) ? preset : value];
  });
  return { ...record, ...Object.fromEntries(filled) };
}

/** Builds a record from its leaves. Leaves out empty groups of a list. */
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
