import * as v from 'valibot';
import { COLOUR_NAMES, isFeatured, SIZE_NAMES } from '#domain/attributes.ts';
import * as CURRENCY from '#domain/currency.ts';
import { type Attribute, attributeValues } from '#domain/product.ts';
import type { Field, Typed } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import {
  endsAfterBegin,
  hasPriceForSale,
  isSaleBelowRegular,
  momentText,
  NO_SALE_PRICE,
  NOT_AFTER_BEGIN,
  NOT_BELOW_REGULAR,
  OptionalMomentTextSchema,
  OptionalRupeesTextSchema,
  RupeesTextSchema,
  rupeesText,
} from '#server/admin/forms/prices.ts';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';

/** In characters, for the whole list. */
const LIST_MOST = 10_000;

/** One value per line or, in a single line, separated by commas. */
const ListTextSchema = v.pipe(
  v.string(),
  v.maxLength(LIST_MOST, `must have at most ${LIST_MOST} characters`),
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

const { title, description, category, parentCategory } = ProductSchema.entries;

/** '', false or an empty list without the attribute. */
type AttributeValue = boolean | string | readonly string[];

/** A field whose values are stored as an attribute of the product. */
export interface OwnAttribute {
  /** Keys of the attribute, in lower case. A new attribute gets the first one. */
  readonly names: readonly string[];
  readonly read: (attributes: readonly Attribute[]) => AttributeValue;
}

interface ProductField {
  readonly field: Field;
  /** Parses the typed text. For an attribute, into the type of `read`. */
  readonly schema: v.GenericSchema;
  readonly typed: (product: CatalogueProduct) => string | boolean;
  readonly attribute?: OwnAttribute;
}

/** An attribute with values that customers choose from. */
const optionField = (label: string, names: readonly string[]) => {
  const read = (attributes: readonly Attribute[]) => attributeValues(attributes, names);
  return {
    field: {
      label,
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'One per line, or separated by commas.',
    },
    schema: ListTextSchema,
    typed: ({ attributes }: CatalogueProduct) => listText(read(attributes)),
    attribute: { names, read },
  } as const;
};

const momentField = (
  label: string,
  hint: string,
  read: (product: CatalogueProduct) => string | undefined,
) => ({
  field: { label, control: 'datetime-local', isOptional: true, hint } as const,
  schema: OptionalMomentTextSchema,
  typed: (product: CatalogueProduct) => momentText(read(product)),
});

/** Fields that are not in this table: pictures and attributes have parts of their own, the others are not typed. */
type Elsewhere = 'id' | 'createdAt' | 'imgUrl' | 'images' | 'attributes';

/**
 * The fields of a product's form, in their order. A new field of `ProductSchema`, or an attribute with a field of its own, is
 * a line here. The form, its validation, edit conflicts, the log and the preview follow.
 */
export const PRODUCT_FIELDS = {
  title: {
    field: {
      label: 'Title',
      control: 'text',
      hint: 'It also describes the pictures to people who cannot see them.',
    },
    schema: title,
    typed: (product) => product.title,
  },
  regularPrice: {
    field: {
      label: `Regular price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      hint: 'Such as 129.50 or 1,299.',
    },
    schema: RupeesTextSchema,
    typed: ({ regularPrice }) => rupeesText(regularPrice),
  },
  discountedPrice: {
    field: {
      label: `Sale price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      isOptional: true,
      hint: 'The reduced price that customers pay. The regular price is beside it, struck out.',
    },
    schema: OptionalRupeesTextSchema,
    typed: ({ discountedPrice }) => rupeesText(discountedPrice),
  },
  saleFrom: momentField('Sale from', 'In Indian time. Empty: at once.', ({ saleFrom }) => saleFrom),
  saleUntil: momentField(
    'Sale until',
    'In Indian time. Empty: until you end it.',
    ({ saleUntil }) => saleUntil,
  ),
  description: {
    field: { label: 'Description', control: 'textarea', isOptional: true, rows: 6 },
    schema: description,
    typed: (product) => product.description,
  },
  category: {
    field: { label: 'Category', control: 'text' },
    schema: category,
    typed: (product) => product.category,
  },
  parentCategory: {
    field: { label: 'Parent category', control: 'text' },
    schema: parentCategory,
    typed: (product) => product.parentCategory,
  },
  featured: {
    field: { label: 'Featured on the home page', control: 'checkbox' },
    schema: v.boolean(),
    typed: ({ attributes }) => isFeatured(attributes),
    attribute: { names: ['featured'], read: isFeatured },
  },
  sizes: optionField('Sizes', SIZE_NAMES),
  colours: optionField('Colours', COLOUR_NAMES),
} as const satisfies Readonly<Record<string, ProductField>> &
  Readonly<Record<Exclude<keyof CatalogueProduct, Elsewhere>, ProductField>>;

export type ProductFieldName = keyof typeof PRODUCT_FIELDS;

export const isProductField = (name: string): name is ProductFieldName => Object.hasOwn(PRODUCT_FIELDS, name);

const ROWS: readonly (readonly [string, ProductField])[] = Object.entries(PRODUCT_FIELDS);

export const PRODUCT_FIELD_NAMES: readonly ProductFieldName[] =
  Object.keys(PRODUCT_FIELDS).filter(isProductField);

export const OWN_ATTRIBUTES: readonly (readonly [name: string, OwnAttribute])[] = ROWS.flatMap(
  ([name, { attribute }]) => (attribute ? [[name, attribute] as const] : []),
);

export const typedOf = (product: CatalogueProduct): Typed =>
  Object.fromEntries(ROWS.map(([name, { typed }]) => [name, typed(product)]));

type Column<Name extends 'field' | 'schema'> = {
  readonly [Field in ProductFieldName]: (typeof PRODUCT_FIELDS)[Field][Name];
};

const column = <Name extends 'field' | 'schema'>(name: Name): Column<Name> =>
  Object.fromEntries(ROWS.map(([field, row]) => [field, row[name]])) as Column<Name>;

/** The simple fields of a product. `draft.ts` adds pictures and the other attributes. */
export const productForm = defineForm(
  v.pipe(
    v.object(column('schema')),
    v.forward(
      v.partialCheck([['regularPrice'], ['discountedPrice']], isSaleBelowRegular, NOT_BELOW_REGULAR),
      ['discountedPrice'],
    ),
    v.forward(
      v.partialCheck([['discountedPrice'], ['saleFrom'], ['saleUntil']], hasPriceForSale, NO_SALE_PRICE),
      ['discountedPrice'],
    ),
    v.forward(v.partialCheck([['saleFrom'], ['saleUntil']], endsAfterBegin, NOT_AFTER_BEGIN), ['saleUntil']),
  ),
  column('field'),
);
