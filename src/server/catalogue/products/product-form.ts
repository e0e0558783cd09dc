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

/** characters of all values of a list */
const LIST_MOST = 10_000;

/** Values one a line or, in a single line, separated by commas. */
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

/** The text from which `ListTextSchema` reads these values again. */
const listText = (values: readonly string[]): string =>
  values.join('\n') + (values.length === 1 && values[0]?.includes(',') ? '\n' : '');

const { title, description, category, parentCategory } = ProductSchema.entries;

/** '', false or an empty list where the product has no such attribute. */
type AttributeValue = boolean | string | readonly string[];

/** A field whose values stand in an attribute of the product. */
export interface OwnAttribute {
  /** The keys by which the shop finds the attribute, in lower case. A new attribute gets the first as its key. */
  readonly names: readonly string[];
  readonly read: (attributes: readonly Attribute[]) => AttributeValue;
}

interface ProductField {
  readonly field: Field;
  /** Makes a value of what is typed. That of an attribute is what its `read` returns. */
  readonly schema: v.GenericSchema;
  /** What the field of a stored product holds. */
  readonly typed: (product: CatalogueProduct) => string | boolean;
  readonly attribute?: OwnAttribute;
}

/** An attribute with several values, which customers choose from. */
const optionField = (label: string, names: readonly string[]) => {
  const read = (attributes: readonly Attribute[]) => attributeValues(attributes, names);
  return {
    field: {
      label,
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'One a line, or separated by commas.',
    },
    schema: ListTextSchema,
    typed: ({ attributes }: CatalogueProduct) => listText(read(attributes)),
    attribute: { names, read },
  } as const;
};

/** When the sale price begins or ends to count. */
const momentField = (
  label: string,
  hint: string,
  read: (product: CatalogueProduct) => string | undefined,
) => ({
  field: { label, control: 'datetime-local', isOptional: true, hint } as const,
  schema: OptionalMomentTextSchema,
  typed: (product: CatalogueProduct) => momentText(read(product)),
});

/** What a product has besides: pictures and attributes have parts of their own in the form, and the rest is not typed. */
type Elsewhere = 'id' | 'createdAt' | 'imgUrl' | 'images' | 'attributes';

/**
 * The fields of a product's form, in their order. A new field of the record (`ProductSchema`) or an attribute with a field of
 * its own is a line here: the form, its checks, what stands in a conflict, the log and the preview's form follow.
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
      hint: 'The reduced price that customers pay. The regular price stands beside it, struck out.',
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

/** The attributes with a field of their own, by the names of their fields. */
export const OWN_ATTRIBUTES: readonly (readonly [name: string, OwnAttribute])[] = ROWS.flatMap(
  ([name, { attribute }]) => (attribute ? [[name, attribute] as const] : []),
);

/** What the fields of a stored product hold. */
export const typedOf = (product: CatalogueProduct): Typed =>
  Object.fromEntries(ROWS.map(([name, { typed }]) => [name, typed(product)]));

type Column<Name extends 'field' | 'schema'> = {
  readonly [Field in ProductFieldName]: (typeof PRODUCT_FIELDS)[Field][Name];
};

const column = <Name extends 'field' | 'schema'>(name: Name): Column<Name> =>
  Object.fromEntries(ROWS.map(([field, row]) => [field, row[name]])) as Column<Name>;

/** The fields of a product that have one value each. `draft.ts` adds the pictures and the other attributes. */
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
