import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import type { Parts } from '#server/admin/form-version.ts';
import type { Typed } from '#server/admin/forms/field.ts';
import { sentText } from '#server/admin/forms/parse.ts';
import type { AttributeSchema, CatalogueProduct } from '#server/catalogue/schema.ts';
import { picturesOf } from '#server/catalogue/stored-products.ts';
import type { ProductInput } from './edit-products.ts';
import {
  isProductField,
  OWN_ATTRIBUTES,
  type OwnAttribute,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  typedOf,
} from './product-form.ts';

type Attribute = v.InferOutput<typeof AttributeSchema>;

export interface Row {
  /** '' for an attribute without an id. */
  readonly id: string;
  readonly key: string;
  readonly values: string;
  readonly unit: string;
}

/** A product as typed in the form, valid or not. */
export interface Draft {
  readonly typed: Typed;
  readonly rows: readonly Row[];
  /** File names, or addresses at other hosts. The first is the main one. */
  readonly pictures: readonly string[];
}

const OWN_KEYS: ReadonlySet<string> = new Set(OWN_ATTRIBUTES.flatMap(([, { names }]) => names));

export const hasOwnField = (key: string): boolean => OWN_KEYS.has(key.trim().toLowerCase());

export const MOST_ATTRIBUTES = 100;

export const EMPTY_ROW: Row = { id: '', key: '', values: '', unit: '' };

export const EMPTY_DRAFT: Draft = { typed: {}, rows: [EMPTY_ROW], pictures: [] };

const isEmpty = ({ key, values, unit }: Row): boolean => `${key}${values}${unit}`.trim() === '';

const toRow = ({ id = '', key, values, metricUnit = '' }: Attribute): Row => ({
  id,
  key,
  values: values.join('\n'),
  unit: metricUnit,
});

export const draftOf = (product: CatalogueProduct): Draft => ({
  typed: typedOf(product),
  rows: product.attributes.filter(({ key }) => !hasOwnField(key)).map(toRow),
  pictures: [...new Set(picturesOf(product))],
});

/** @param typed from `parseForm` */
export function readDraft(form: FormData, typed: Typed): Draft {
  const rows: Row[] = [];
  for (let row = 0; row < MOST_ATTRIBUTES && form.has(`key-${row}`); row += 1) {
    const [id = '', key = '', values = '', unit = ''] = ['attribute', 'key', 'values', 'unit'].map((name) =>
      sentText(form, `${name}-${row}`),
    );
    rows.push({ id, key, values, unit });
  }
  const pictures = form.getAll('picture').filter((picture) => typeof picture === 'string');
  return { typed, rows, pictures: [...new Set(pictures)] };
}

const toAttribute = ({ id, key, values, unit }: Row): Attribute => ({
  ...(id === '' ? {} : { id }),
  key,
  values: values
    .split('\n')
    .map((value) => value.trim())
    .filter((value) => value !== ''),
  ...(unit.trim() === '' ? {} : { metricUnit: unit }),
});

type Values = Readonly<Record<string, unknown>>;

const isAsBefore = (value: unknown, { read }: OwnAttribute, before: readonly Attribute[]): boolean =>
  isDeepStrictEqual(value, read(before));

/** Returns the attributes with a field of their own. An unchanged one keeps its spelling and id. */
const ownAttributes = (values: Values, before: readonly Attribute[]): Attribute[] =>
  OWN_ATTRIBUTES.flatMap(([name, own]) => {
    const found = before.filter(({ key }) => own.names.includes(key.trim().toLowerCase()));
    const value = values[name] ?? own.read([]);
    if (isAsBefore(value, own, before)) return found;
    const texts = [value].flat().filter((each) => each !== false && each !== '');
    const list = texts.map(String);
    return list.length === 0 ? [] : [{ key: own.names[0] ?? name, ...found[0], values: list }];
  });

/**
 * Returns the attributes of a draft, those of the rows first. `rowOf` returns the row of an attribute.
 * Without `values`, attributes with a field of their own are left out.
 */
export function attributesOf(
  { rows }: Draft,
  values: Values,
  before: readonly Attribute[] = [],
): { attributes: Attribute[]; rowOf: (attribute: number) => number | undefined } {
  const filled = rows.flatMap((row, index) => (isEmpty(row) ? [] : [{ row, index }]));
  const attributes = [...filled.map(({ row }) => toAttribute(row)), ...ownAttributes(values, before)];
  return { attributes, rowOf: (attribute) => filled[attribute]?.index };
}

/** Converts a valid draft for `edit-products.ts`. Unchanged fields keep their stored value and format. */
export function toInput(draft: Draft, values: Values, before?: CatalogueProduct): ProductInput {
  const own = new Set(OWN_ATTRIBUTES.map(([name]) => name));
  const fields = Object.entries(values).filter(([name, value]) => !own.has(name) && value !== undefined);
  const old = before && draftOf(before);
  const filled = draft.rows.filter((row) => !isEmpty(row));
  const hasSameAttributes =
    isDeepStrictEqual(filled, old?.rows) &&
    OWN_ATTRIBUTES.every(([name, each]) => isAsBefore(values[name], each, before?.attributes ?? []));
  const hasSamePictures = isDeepStrictEqual(draft.pictures, old?.pictures);
  return {
    ...Object.fromEntries(fields),
    attributes: hasSameAttributes
      ? before?.attributes
      : attributesOf(draft, values, before?.attributes).attributes,
    imgUrl: hasSamePictures ? before?.imgUrl : (draft.pictures[0] ?? ''),
    images: hasSamePictures ? before?.images : draft.pictures.map((url) => ({ url })),
  };
}

/** The parts of the form version. */
const PARTS = [...PRODUCT_FIELD_NAMES, 'pictures', 'attributes'] as const;

export const partLabel = (name: string): string =>
  isProductField(name) ? PRODUCT_FIELDS[name].field.label : name === 'pictures' ? 'Pictures' : 'Attributes';

/** Pictures are their names, one per line. */
function partText({ typed, rows, pictures }: Draft, name: (typeof PARTS)[number]): string {
  if (name === 'pictures') return pictures.join('\n');
  if (name === 'attributes') {
    return rows
      .map(({ key, values, unit }) => `${key}: ${values.split('\n').join(', ')} ${unit}`.trim())
      .join('\n');
  }
  const value = typed[name];
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value ?? '').trim();
}

export const draftParts = (draft: Draft): Parts =>
  Object.fromEntries(PARTS.map((name) => [name, partText(draft, name)]));

/** Returns the stored draft with the parts that this editor changed. */
export function mergedDraft(stored: Draft, yours: Draft, changed: ReadonlySet<string>): Draft {
  const fields = PRODUCT_FIELD_NAMES.filter((name) => changed.has(name)).map(
    (name) => [name, yours.typed[name] ?? ''] as const,
  );
  return {
    typed: { ...stored.typed, ...Object.fromEntries(fields) },
    rows: changed.has('attributes') ? yours.rows : stored.rows,
    pictures: changed.has('pictures') ? yours.pictures : stored.pictures,
  };
}
