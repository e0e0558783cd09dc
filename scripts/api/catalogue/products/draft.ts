import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import { isFeatured } from '#domain/attributes.ts';
import { attributeValues } from '#domain/product.ts';
import type { AttributeSchema, WireProduct } from '#scripts/api/catalogue/schema.ts';
import { picturesOf } from '#scripts/api/catalogue/stored-products.ts';
import { rupeesText } from '#scripts/api/office/forms/amount.ts';
import type { Typed } from '#scripts/api/office/forms/field.ts';
import { sentText } from '#scripts/api/office/forms/parse.ts';
import type { ProductInput } from './edit-products.ts';
import { listText, type productForm } from './product-form.ts';

type Attribute = v.InferOutput<typeof AttributeSchema>;

/** An attribute as it is typed. */
export interface Row {
  /** The attribute's own id; '' where it has none. */
  readonly id: string;
  readonly key: string;
  readonly values: string;
  readonly unit: string;
}

/** A product in its form, with all that is wrong in it. */
export interface Draft {
  readonly typed: Typed;
  readonly rows: readonly Row[];
  /** File names, or addresses at other hosts. The first is the main one. */
  readonly pictures: readonly string[];
}

/** Attributes that have a field of their own, by the names under which the shop looks for them (spec 3). */
const OWN_FIELDS = {
  sizes: ['size', 'sizes'],
  colours: ['color', 'colour', 'colors'],
  featured: ['featured'],
} as const;

const OWN_KEYS: ReadonlySet<string> = new Set(Object.values(OWN_FIELDS).flat());

export const hasOwnField = (key: string): boolean => OWN_KEYS.has(key.trim().toLowerCase());

export const MOST_ROWS = 100;

export const EMPTY_ROW: Row = { id: '', key: '', values: '', unit: '' };

export const EMPTY_DRAFT: Draft = { typed: {}, rows: [EMPTY_ROW], pictures: [] };

const isEmpty = ({ key, values, unit }: Row): boolean => `${key}${values}${unit}`.trim() === '';

const toRow = ({ id = '', key, values, metricUnit = '' }: Attribute): Row => ({
  id,
  key,
  values: values.join('\n'),
  unit: metricUnit,
});

export function draftOf(product: WireProduct): Draft {
  const { title, description, category, parentCategory, regularPrice, discountedPrice, attributes } = product;
  return {
    typed: {
      title,
      description,
      category,
      parentCategory,
      regularPrice: rupeesText(regularPrice),
      discountedPrice: rupeesText(discountedPrice),
      featured: isFeatured(attributes),
      sizes: listText(attributeValues(attributes, OWN_FIELDS.sizes)),
      colours: listText(attributeValues(attributes, OWN_FIELDS.colours)),
    },
    rows: attributes.filter(({ key }) => !hasOwnField(key)).map(toRow),
    pictures: [...new Set(picturesOf(product))],
  };
}

/** The draft that a form holds. @param typed what `parseForm` has read of it */
export function readDraft(form: FormData, typed: Typed): Draft {
  const rows: Row[] = [];
  for (let row = 0; row < MOST_ROWS && form.has(`key-${row}`); row += 1) {
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

/** An attribute with a field of its own. It keeps the spelling and the id that it has. */
function ownAttribute(
  before: readonly Attribute[],
  field: keyof typeof OWN_FIELDS,
  values: readonly string[],
): Attribute[] {
  if (values.length === 0) return [];
  const names: readonly string[] = OWN_FIELDS[field];
  const found = before.find(({ key }) => names.includes(key.trim().toLowerCase()));
  const key = field === 'featured' ? 'featured' : field === 'sizes' ? 'size' : 'colour';
  return [{ key, ...found, values: [...values] }];
}

type FormValues = v.InferOutput<typeof productForm.schema>;

/** The attributes, and of each the row that it was typed in. */
export function attributesOf(
  { rows }: Draft,
  { sizes, colours, featured }: Pick<FormValues, 'sizes' | 'colours' | 'featured'>,
  before: readonly Attribute[] = [],
): { attributes: Attribute[]; rowOf: (attribute: number) => number | undefined } {
  const filled = rows.flatMap((row, index) => (isEmpty(row) ? [] : [{ row, index }]));
  const attributes = [
    ...filled.map(({ row }) => toAttribute(row)),
    ...ownAttribute(before, 'sizes', sizes),
    ...ownAttribute(before, 'colours', colours),
    ...(isFeatured(before) === featured
      ? before.filter(({ key }) => key.trim().toLowerCase() === 'featured')
      : ownAttribute(before, 'featured', featured ? ['true'] : [])),
  ];
  return { attributes, rowOf: (attribute) => filled[attribute]?.index };
}

/**
 * The product of a draft without mistakes, for the functions that check and store it. What was not changed stays as it is
 * stored, even where a form would write it in another way.
 */
export function toInput(draft: Draft, values: FormValues, before?: WireProduct): ProductInput {
  const { sizes, colours, featured, ...fields } = values;
  const old = before && draftOf(before);
  const { attributes } = attributesOf(draft, values, before?.attributes);
  const isSame =
    old !== undefined &&
    isDeepStrictEqual(
      draft.rows.filter((row) => !isEmpty(row)),
      old.rows,
    ) &&
    isDeepStrictEqual(
      [sizes, colours, featured],
      [
        attributeValues(before?.attributes ?? [], OWN_FIELDS.sizes),
        attributeValues(before?.attributes ?? [], OWN_FIELDS.colours),
        isFeatured(before?.attributes ?? []),
      ],
    );
  const hasSamePictures = old !== undefined && isDeepStrictEqual(draft.pictures, old.pictures);
  return {
    ...fields,
    attributes: isSame ? before?.attributes : attributes,
    imgUrl: hasSamePictures ? before?.imgUrl : (draft.pictures[0] ?? ''),
    images: hasSamePictures ? before?.images : draft.pictures.map((url) => ({ url })),
  };
}
