import type { Rupees } from './money.ts';

/** How a text is typed and checked; without a format, as one line. All formats but 'textarea' have tidied signs. */
export type TextFormat = 'textarea' | 'email' | 'tel' | 'url' | 'https' | 'date';

/** What delivery costs to PIN codes with these first digits. */
export interface PlaceCharge {
  readonly digits: string;
  readonly charge: Rupees;
}

/** The empty value of each kind of field. A new kind is a line here, and a case wherever TypeScript then reports it missing. */
export const EMPTY: {
  readonly text: string;
  /** The address of a picture; where it is stored, its file name. */
  readonly picture: string;
  readonly money: Rupees | null;
  /** From 0 to `max`. */
  readonly whole: number | null;
  /** At most `max` PIN codes or their first digits. */
  readonly digits: readonly string[];
  /** At most `max` places. */
  readonly charges: readonly PlaceCharge[];
} = { text: '', picture: '', money: null, whole: null, digits: [], charges: [] };

/** The `max` of a text is in characters. */
export type LeafField =
  | { readonly kind: 'text'; readonly max: number; readonly format?: TextFormat }
  | { readonly kind: 'picture' | 'money' }
  | { readonly kind: 'whole' | 'charges' | 'digits'; readonly max: number };

type Leaves = Readonly<Record<string, LeafField>>;

/** A 'group' is an object of values. A 'list' has at most `max` of them. */
export type StoreField =
  | LeafField
  | { readonly kind: 'group'; readonly fields: Leaves }
  | { readonly kind: 'list'; readonly fields: Leaves; readonly max: number };

type ValueOf<Field> = Field extends LeafField
  ? (typeof EMPTY)[Field['kind']]
  : Field extends { readonly kind: infer Kind; readonly fields: infer Fields }
    ? Kind extends 'list'
      ? readonly RecordOf<Fields>[]
      : RecordOf<Fields>
    : never;

export type RecordOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

const text = (max: number, format?: TextFormat) =>
  ({ kind: 'text', max, ...(format && { format }) }) as const;
const group = <const Fields extends Leaves>(fields: Fields) => ({ kind: 'group', fields }) as const;
const list = <const Fields extends Leaves>(max: number, fields: Fields) =>
  ({ kind: 'list', max, fields }) as const;
const PICTURE = { kind: 'picture' } as const;
const MONEY = { kind: 'money' } as const;
const DAYS = { kind: 'whole', max: 365 } as const;
const PERCENT = { kind: 'whole', max: 100 } as const;
const DAY = text(10, 'date');
const PIN_CODES = { kind: 'digits', max: 500 } as const;

/**
 * The fields of the store record, by the API's names. A new field is a line here and its label in STORE_LABELS
 * (src/server/store/fields.ts). Storage, API, admin form, edit conflicts and policy placeholders follow from both.
 */
export const STORE_FIELDS = {
  storeName: text(200),
  companyName: text(200),
  companyAddress: text(500),
  companyEmail: text(320, 'email'),
  companyPhone: text(40, 'tel'),
  companyLogoUrl: PICTURE,
  description: text(2_000, 'textarea'),
  siteUrl: text(200, 'url'),
  supportHours: text(100),
  grievanceOfficer: group({
    name: text(200),
    designation: text(200),
    email: text(320, 'email'),
    phone: text(40, 'tel'),
    hours: text(100),
  }),
  licences: group({ fssai: text(40), gstin: text(40) }),
  // Days are a range such as '2-4'.
  delivery: group({
    charge: MONEY,
    freeFrom: MONEY,
    places: { kind: 'charges', max: 500 },
    days: text(20),
    bulkDays: text(20),
  }),
  served: PIN_CODES,
  orderMinimum: MONEY,
  // Whole days, both included. Without the second there is no pause.
  pause: group({ from: DAY, until: DAY, sentence: text(200) }),
  returnDays: DAYS,
  refundDays: DAYS,
  hero: group({
    title: text(80, 'textarea'),
    text: text(300, 'textarea'),
    picture: PICTURE,
    alt: text(200),
    // In per cent from the left and from the top.
    focusX: PERCENT,
    focusY: PERCENT,
  }),
  trust: list(4, { title: text(40), text: text(60) }),
  whatsapp: text(40, 'tel'),
  newsletterUrl: text(300, 'https'),
  social: list(4, { name: text(40), url: text(300, 'url') }),
  cashOnDelivery: group({ most: MONEY, pinCodes: PIN_CODES }),
} as const satisfies Readonly<Record<string, StoreField>>;

/** The store record without its categories and policies. */
export type StoreRecord = RecordOf<typeof STORE_FIELDS>;

/** A single value. Its name is a path, such as 'storeName', 'delivery.charge' or 'trust.0.title'. */
export interface Leaf {
  readonly name: string;
  readonly field: LeafField;
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

const isEmptyGroup = (group: object): boolean => Object.values(group).every(isEmpty);

/** Builds a record from its leaves. Leaves out empty groups of a list. */
export function recordFrom(leafValue: (leaf: Leaf) => unknown): Record<string, unknown> {
  const groupAt = (fields: Leaves, path: string) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, leafValue({ name: `${path}.${key}`, field })]),
    );
  const entries = Object.entries<StoreField>(STORE_FIELDS).map(([name, field]) => {
    if (field.kind === 'group') return [name, groupAt(field.fields, name)];
    if (field.kind !== 'list') return [name, leafValue({ name, field })];
    const groups = Array.from({ length: field.max }, (_, index) => groupAt(field.fields, `${name}.${index}`));
    return [name, groups.filter((each) => !isEmptyGroup(each))];
  });
  return Object.fromEntries(entries);
}

/** Returns all leaves in the order of the table. A list has as many groups as it may hold. */
export function storeLeaves(): Leaf[] {
  const leaves: Leaf[] = [];
  recordFrom((leaf) => leaves.push(leaf));
  return leaves;
}

export type PartOf<T> = { readonly [Name in keyof T]?: T[Name] extends object ? PartOf<T[Name]> : T[Name] };

/** Fills empty values with the defaults. */
export const withDefaults = <T extends StoreRecord>(record: T, defaults: PartOf<StoreRecord>): T => ({
  ...record,
  ...recordFrom(({ name }) => {
    const value = valueAt(record, name);
    return isEmpty(value) ? (valueAt(defaults, name) ?? value) : value;
  }),
});
