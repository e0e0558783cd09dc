import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { COLOUR_NAMES, isFeatured, SIZE_NAMES } from '#domain/attributes.ts';
import { PRODUCT_TERMS, type ProductTerms } from '#domain/buying/facts.ts';
import * as CURRENCY from '#domain/currency.ts';
import { attributeValues, isNamed } from '#domain/product.ts';
import type { Field } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { momentText, PRICE_SCHEMAS, PricesSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { picturesField } from '#server/admin/forms/record-editor.tsx';
import {
  AttributeSchema,
  type CatalogueProduct,
  CatalogueProductSchema,
  PRODUCT_TERM_LABELS,
} from '#server/catalogue/schema.ts';
import { picturesOf } from '#server/catalogue/stored-products.ts';
import { formFieldOf, schemaOf, textOf } from '#server/store/record-form.tsx';
import { leafSchema } from '#server/store/schema.ts';
import type { ProductInput } from './edit-products.ts';

/** In characters, for the whole list. */
const MAX_LIST_LENGTH = 10_000;

/** One value per line or, in a single line, separated by commas. */
const ListTextSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_LIST_LENGTH, `must have at most ${MAX_LIST_LENGTH} characters`),
  v.transform((text) =>
    text
      .split(text.includes('\n') ? '\n' : ',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
);

/** The reverse of `ListTextSchema`. */
const listText = (values: readonly string[]): string =>
  values.join('\n') + (values.length === 1 && values[0]?.includes(',') ? '\n' : '');

export const MAX_PICTURES = 20;

type StoredAttribute = CatalogueProduct['attributes'][number];

/** The keys of attributes with a field of their own, in lower case. A new attribute gets the first one. */
const OWN_NAMES = { featured: ['featured'], sizes: SIZE_NAMES, colours: COLOUR_NAMES } as const;

const OWN_FIELDS = ['featured', 'sizes', 'colours'] as const;

const isOther = (attribute: StoredAttribute): boolean =>
  !Object.values(OWN_NAMES).some((names) => isNamed(attribute, names));

/** Such as `Weight (kg): 1.5` or `Origin: Ratnagiri; Devgad`. */
const attributeLine = ({ key, values, metricUnit }: StoredAttribute): string =>
  `${key}${metricUnit ? ` (${metricUnit})` : ''}: ${values.join('; ')}`.replaceAll(/\s+/g, ' ');

function readAttribute(line: string): StoredAttribute {
  const colon = line.includes(': ') ? line.indexOf(': ') : line.indexOf(':');
  const [name, list] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
  const unit = name.endsWith(')') ? name.lastIndexOf(' (') : -1;
  const values = list
    .split(';')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return unit < 0
    ? { key: name, values }
    : { key: name.slice(0, unit), values, metricUnit: name.slice(unit + 2, -1) };
}

/** In characters. */
const MAX_NAME_LENGTH = 50;

/** The parts of an attribute in an error. */
const PARTS: Readonly<Record<string, string>> = {
  key: 'the name',
  values: 'the list of values',
  metricUnit: 'the unit',
};

/** Returns why an attribute cannot be stored, as a sentence; undefined if it can. */
function attributeError(attribute: StoredAttribute): string | undefined {
  const name = `The attribute “${attribute.key.slice(0, MAX_NAME_LENGTH)}”`;
  if (!isOther(attribute)) return `${name} has a field of its own above`;
  const [issue] = v.safeParse(AttributeSchema, attribute).issues ?? [];
  return issue && `${name}: ${PARTS[String(issue.path?.[0]?.key)]} ${issue.message}`;
}

const MAX_ATTRIBUTES = 100;

/** In characters. */
const MAX_ATTRIBUTES_LENGTH = 200_000;

const AttributesTextSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_ATTRIBUTES_LENGTH, `must have at most ${MAX_ATTRIBUTES_LENGTH} characters`),
  v.rawTransform(({ dataset: { value }, addIssue }) => {
    const lines = value.split('\n').map((line) => line.trim());
    const read = lines.filter((line) => line !== '').map(readAttribute);
    const errors = read.slice(0, MAX_ATTRIBUTES).flatMap((each) => attributeError(each) ?? []);
    if (read.length > MAX_ATTRIBUTES) errors.push(`A product has at most ${MAX_ATTRIBUTES} attributes`);
    if (errors[0] !== undefined) addIssue({ message: errors[0] });
    return read;
  }),
);

const PicturesSchema = v.pipe(
  v.array(v.string()),
  v.minLength(1, 'Add a picture: each product needs one.'),
  v.maxLength(MAX_PICTURES, `A product has at most ${MAX_PICTURES} pictures.`),
);

interface ProductField {
  readonly field: Field;
  readonly schema: v.GenericSchema;
  readonly text: (product: CatalogueProduct) => string;
}

/** An attribute with values that customers choose from. */
const optionField = (label: string, names: readonly string[]) =>
  ({
    field: {
      label,
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'One per line, or separated by commas.',
    },
    schema: ListTextSchema,
    text: ({ attributes }: Pick<CatalogueProduct, 'attributes'>) =>
      listText(attributeValues(attributes, names)),
  }) as const;

/** A field of the product itself, typed as it is stored. */
const plainField = <
  Name extends 'title' | 'description' | 'category' | 'parentCategory',
  const Described extends Field,
>(
  name: Name,
  field: Described,
) => ({
  field,
  schema: CatalogueProductSchema.entries[name],
  text: (product: CatalogueProduct) => product[name],
});

const momentField = (name: 'saleFrom' | 'saleUntil', label: string, hint: string) => ({
  field: { label, control: 'datetime-local', isOptional: true, hint } as const,
  schema: PRICE_SCHEMAS[name],
  text: (product: CatalogueProduct) => momentText(product[name]),
});

const termField = (name: keyof ProductTerms) => ({
  field: formFieldOf(PRODUCT_TERMS[name], { ...PRODUCT_TERM_LABELS[name], isOptional: true }),
  schema: schemaOf({ name, field: PRODUCT_TERMS[name] }),
  text: (product: CatalogueProduct) => textOf({ name, field: PRODUCT_TERMS[name] }, product),
});

/** The cast is needed: TypeScript does not know the keys of a table that is built from another. */
const TERM_FIELDS = Object.fromEntries(
  Object.keys(PRODUCT_TERMS).map((name) => [name, termField(name as keyof ProductTerms)]),
) as Record<keyof ProductTerms, ReturnType<typeof termField>>;

/**
 * The fields of a product's form, in their order. A new field of `CatalogueProductSchema`, or an attribute with a field of its own, is
 * a line here. The form, its validation, edit conflicts, the log and the preview follow.
 */
export const PRODUCT_FIELDS = {
  title: plainField('title', {
    label: 'Title',
    control: 'text',
    hint: 'It also describes the pictures to people who cannot see them.',
  }),
  regularPrice: {
    field: {
      label: `Regular price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      hint: 'Such as 129.50 or 1,299.',
    },
    schema: PRICE_SCHEMAS.regularPrice,
    text: ({ regularPrice }) => rupeesText(regularPrice),
  },
  discountedPrice: {
    field: {
      label: `Sale price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      isOptional: true,
      hint: 'The reduced price that customers pay. The regular price is beside it, struck out.',
    },
    schema: PRICE_SCHEMAS.discountedPrice,
    text: ({ discountedPrice }) => rupeesText(discountedPrice),
  },
  saleFrom: momentField('saleFrom', 'Sale from', 'In Indian time. Empty: at once.'),
  saleUntil: momentField('saleUntil', 'Sale until', 'In Indian time. Empty: until you end it.'),
  ...TERM_FIELDS,
  description: plainField('description', {
    label: 'Description',
    control: 'textarea',
    isOptional: true,
    rows: 6,
  }),
  category: plainField('category', { label: 'Category', control: 'text' }),
  parentCategory: plainField('parentCategory', { label: 'Parent category', control: 'text' }),
  featured: {
    field: { label: 'Featured on the home page', control: 'checkbox' },
    schema: v.boolean(),
    text: ({ attributes }: Pick<CatalogueProduct, 'attributes'>) => (isFeatured(attributes) ? 'Yes' : ''),
  },
  sizes: optionField('Sizes', SIZE_NAMES),
  colours: optionField('Colours', COLOUR_NAMES),
  attributes: {
    field: {
      label: 'Other attributes',
      control: 'textarea',
      isOptional: true,
      hint: "One per line, such as Weight (kg): 1.5, or Origin: Ratnagiri; Devgad. The first ten are shown in the product's table.",
    },
    schema: AttributesTextSchema,
    text: ({ attributes }) => attributes.filter(isOther).map(attributeLine).join('\n'),
  },
  pictures: {
    field: picturesField('Pictures', MAX_PICTURES),
    schema: PicturesSchema,
    text: (product) => [...new Set(picturesOf(product))].join('\n'),
  },
} as const satisfies Readonly<Record<string, ProductField>> &
  Readonly<Record<Exclude<keyof CatalogueProduct, 'id' | 'createdAt' | 'imgUrl' | 'images'>, ProductField>>;

type ProductFieldName = keyof typeof PRODUCT_FIELDS;

const isProductField = (name: string): name is ProductFieldName => Object.hasOwn(PRODUCT_FIELDS, name);

export const PRODUCT_FIELD_NAMES: readonly ProductFieldName[] =
  Object.keys(PRODUCT_FIELDS).filter(isProductField);

export const productTexts = (product: CatalogueProduct): Readonly<Record<string, string>> =>
  Object.fromEntries(PRODUCT_FIELD_NAMES.map((name) => [name, PRODUCT_FIELDS[name].text(product)]));

type Column<Name extends 'field' | 'schema'> = {
  readonly [Field in ProductFieldName]: (typeof PRODUCT_FIELDS)[Field][Name];
};

const column = <Name extends 'field' | 'schema'>(name: Name): Column<Name> =>
  Object.fromEntries(
    PRODUCT_FIELD_NAMES.map((field) => [field, PRODUCT_FIELDS[field][name]]),
  ) as Column<Name>;

const MAX_STOCK_LENGTH = 5_000;

const STOCK_SCHEMAS = {
  stock: v.pipe(
    v.string(),
    v.maxLength(MAX_STOCK_LENGTH, `must have at most ${MAX_STOCK_LENGTH} characters`),
  ),
  /** What the stock was when the form was opened. */
  stockBefore: v.string(),
  low: leafSchema('low', PRODUCT_TERMS.minPerOrder),
};

const { title, ...otherFields } = column('field');

/** The stock is not a part of the product: what is sold meanwhile is no edit conflict. */
export const productForm = defineForm(
  v.intersect([v.object({ ...column('schema'), ...STOCK_SCHEMAS }), PricesSchema]),
  {
    title,
    stock: {
      label: 'Stock',
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'The pieces that can be sold, such as 12, or a line such as M: 5 for each size. Empty: not counted.',
    },
    stockBefore: { label: '', control: 'hidden' },
    low: {
      label: 'Few are left',
      control: 'number',
      isOptional: true,
      hint: 'The admin’s first page says when no more than so many are left, of any size. Empty: never.',
    },
    ...otherFields,
  },
);

/**
 * Returns the product of a valid form, for `edit-products.ts`. Unchanged attributes keep their spelling and id, and
 * unchanged pictures their form.
 */
export function productFromForm(
  { featured, sizes, colours, attributes, pictures, ...others }: v.InferOutput<typeof productForm.schema>,
  before?: CatalogueProduct,
): ProductInput {
  const fields = Object.entries(others).filter(([name]) => name in CatalogueProductSchema.entries);
  const old = before?.attributes ?? [];
  const asRead = new Map(
    old.filter(isOther).map((each) => [attributeLine(readAttribute(attributeLine(each))), each]),
  );
  const otherAttributes = attributes.map((each) => asRead.get(attributeLine(each)) ?? each);
  const typed = { featured: featured ? ['true'] : [], sizes, colours };
  const own = OWN_FIELDS.map((name) => {
    const found = old.filter((each) => isNamed(each, OWN_NAMES[name]));
    const values = typed[name];
    const made = values.length === 0 ? [] : [{ key: OWN_NAMES[name][0], ...found[0], values }];
    const { text } = PRODUCT_FIELDS[name];
    return { found, now: text({ attributes: made }) === text({ attributes: found }) ? found : made };
  });
  const all = [...otherAttributes, ...own.flatMap(({ now }) => now)];
  const allBefore = [...old.filter(isOther), ...own.flatMap(({ found }) => found)];
  const hasSamePictures = before && isDeepStrictEqual(pictures, [...new Set(picturesOf(before))]);
  return {
    ...Object.fromEntries(fields),
    attributes: isDeepStrictEqual(all, allBefore) ? old : all,
    imgUrl: hasSamePictures ? before.imgUrl : pictures[0],
    images: hasSamePictures ? before.images : pictures.map((url) => ({ url })),
  };
}
