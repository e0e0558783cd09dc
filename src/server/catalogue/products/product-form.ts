import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { COLOUR_NAMES, isFeatured, SIZE_NAMES } from '#domain/attributes.ts';
import { PRODUCT_TERMS, type ProductTerms } from '#domain/buying/facts.ts';
import * as CURRENCY from '#domain/currency.ts';
import { attributeValues, isNamed } from '#domain/product.ts';
import type { Leaf } from '#domain/store-fields.ts';
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

export const MAX_PICTURES = 20;

type StoredAttribute = CatalogueProduct['attributes'][number];

/** One value per line or, in a single line, separated by commas. */
const listText = (values: readonly string[]): string =>
  values.join('\n') + (values.length === 1 && values[0]?.includes(',') ? '\n' : '');

const readList = (list: string, separator = list.includes('\n') ? '\n' : ','): string[] =>
  list
    .split(separator)
    .map((value) => value.trim())
    .filter((value) => value !== '');

const optionText = (names: readonly string[]) => (attributes: readonly StoredAttribute[]) =>
  listText(attributeValues(attributes, names));

/** Attributes with a field of their own, by its name. Keys are in lower case, and a new attribute gets the first one. */
const OWN = {
  featured: {
    keys: ['featured'],
    textOf: (attributes: readonly StoredAttribute[]) => (isFeatured(attributes) ? 'Yes' : ''),
  },
  sizes: { keys: SIZE_NAMES, textOf: optionText(SIZE_NAMES) },
  colours: { keys: COLOUR_NAMES, textOf: optionText(COLOUR_NAMES) },
} as const;

const isOther = (attribute: StoredAttribute): boolean =>
  !Object.values(OWN).some(({ keys }) => isNamed(attribute, keys));

/** Such as `Weight (kg): 1.5` or `Origin: Ratnagiri; Devgad`. */
const attributeLine = ({ key, values, metricUnit }: StoredAttribute): string =>
  `${key}${metricUnit ? ` (${metricUnit})` : ''}: ${values.join('; ')}`.replaceAll(/\s+/g, ' ');

function readAttribute(line: string): StoredAttribute {
  const colon = line.includes(': ') ? line.indexOf(': ') : line.indexOf(':');
  const [name, list] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
  const unit = name.endsWith(')') ? name.lastIndexOf(' (') : -1;
  const values = readList(list, ';');
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

/** In characters, for the whole text. */
const longText = (max: number) => v.pipe(v.string(), v.maxLength(max, `must have at most ${max} characters`));

const ListTextSchema = v.pipe(
  longText(10_000),
  v.transform((list) => readList(list)),
);

const MAX_ATTRIBUTES = 100;

const AttributesTextSchema = v.pipe(
  longText(200_000),
  v.rawTransform(({ dataset: { value }, addIssue }) => {
    const lines = value.split('\n').map((line) => line.trim());
    const read = lines.filter((line) => line !== '').map(readAttribute);
    const errors = read.slice(0, MAX_ATTRIBUTES).flatMap((each) => attributeError(each) ?? []);
    if (read.length > MAX_ATTRIBUTES) errors.push(`A product has at most ${MAX_ATTRIBUTES} attributes`);
    if (errors[0] !== undefined) addIssue({ message: errors[0] });
    return read;
  }),
);

/** The cast is needed: TypeScript does not know the keys of a table that is built from another. */
const forTerms = <Value>(make: (leaf: Leaf & { name: keyof ProductTerms }) => Value) =>
  Object.fromEntries(
    Object.entries(PRODUCT_TERMS).map(([name, field]) => [
      name,
      make({ name: name as keyof ProductTerms, field }),
    ]),
  ) as Record<keyof ProductTerms, Value>;

const { title, description, category, parentCategory } = CatalogueProductSchema.entries;

const ProductSchema = v.intersect([
  v.object({
    title,
    ...PRICE_SCHEMAS,
    ...forTerms(schemaOf),
    description,
    category,
    parentCategory,
    featured: v.boolean(),
    sizes: ListTextSchema,
    colours: ListTextSchema,
    attributes: AttributesTextSchema,
    pictures: v.pipe(
      v.array(v.string()),
      v.minLength(1, 'Add a picture: each product needs one.'),
      v.maxLength(MAX_PICTURES, `A product has at most ${MAX_PICTURES} pictures.`),
    ),
    // The stock is not a part of the product: what is sold meanwhile is no edit conflict.
    stock: longText(5_000),
    /** What the stock was when the form was opened. */
    stockBefore: v.string(),
    low: leafSchema('low', PRODUCT_TERMS.minPerOrder),
  }),
  PricesSchema,
]);

const PRICE = { control: 'text', inputmode: 'decimal' } as const;

const OPTIONS = {
  control: 'textarea',
  rows: 3,
  isOptional: true,
  hint: 'One per line, or separated by commas.',
} as const;

const MOMENT = { control: 'datetime-local', isOptional: true } as const;

/**
 * The form of a product, in the order of its fields. A new field of `CatalogueProductSchema`, or an attribute with a field of its
 * own, also needs its schema above and its text below. Validation, edit conflicts, the log and the preview follow.
 */
export const productForm = defineForm(ProductSchema, {
  title: {
    label: 'Title',
    control: 'text',
    hint: 'It also describes the pictures to people who cannot see them.',
  },
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
  regularPrice: {
    ...PRICE,
    label: `Regular price in ${CURRENCY.symbol}`,
    hint: 'Such as 129.50 or 1,299.',
  },
  discountedPrice: {
    ...PRICE,
    label: `Sale price in ${CURRENCY.symbol}`,
    isOptional: true,
    hint: 'The reduced price that customers pay. The regular price is beside it, struck out.',
  },
  saleFrom: { ...MOMENT, label: 'Sale from', hint: 'In Indian time. Empty: at once.' },
  saleUntil: { ...MOMENT, label: 'Sale until', hint: 'In Indian time. Empty: until you end it.' },
  ...forTerms(({ name, field }) => formFieldOf(field, { ...PRODUCT_TERM_LABELS[name], isOptional: true })),
  description: { label: 'Description', control: 'textarea', isOptional: true, rows: 6 },
  category: { label: 'Category', control: 'text' },
  parentCategory: { label: 'Parent category', control: 'text' },
  featured: { label: 'Featured on the home page', control: 'checkbox' },
  sizes: { ...OPTIONS, label: 'Sizes' },
  colours: { ...OPTIONS, label: 'Colours' },
  attributes: {
    label: 'Other attributes',
    control: 'textarea',
    isOptional: true,
    hint: "One per line, such as Weight (kg): 1.5, or Origin: Ratnagiri; Devgad. The first ten are shown in the product's table.",
  },
  pictures: picturesField('Pictures', MAX_PICTURES),
});

type TextName =
  | Exclude<keyof CatalogueProduct, 'id' | 'createdAt' | 'imgUrl' | 'images'>
  | keyof typeof OWN
  | 'pictures';

/** Returns the texts of the form’s fields for a product. Its stock has texts of its own. */
export const productTexts = (product: CatalogueProduct): Readonly<Record<TextName, string>> => ({
  title: product.title,
  regularPrice: rupeesText(product.regularPrice),
  discountedPrice: rupeesText(product.discountedPrice),
  saleFrom: momentText(product.saleFrom),
  saleUntil: momentText(product.saleUntil),
  ...forTerms((leaf) => textOf(leaf, product)),
  description: product.description,
  category: product.category,
  parentCategory: product.parentCategory,
  featured: OWN.featured.textOf(product.attributes),
  sizes: OWN.sizes.textOf(product.attributes),
  colours: OWN.colours.textOf(product.attributes),
  attributes: product.attributes.filter(isOther).map(attributeLine).join('\n'),
  pictures: [...new Set(picturesOf(product))].join('\n'),
});

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
  const fromFields: [(typeof OWN)[keyof typeof OWN], string[]][] = [
    [OWN.featured, featured ? ['true'] : []],
    [OWN.sizes, sizes],
    [OWN.colours, colours],
  ];
  const own = fromFields.map(([{ keys, textOf }, values]) => {
    const found = old.filter((each) => isNamed(each, keys));
    const made = values.length === 0 ? [] : [{ key: keys[0], ...found[0], values }];
    return { found, now: textOf(made) === textOf(found) ? found : made };
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
