import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { ProductSchema } from '#scripts/api/catalogue/schema.ts';
import {
  isSaleBelowRegular,
  NOT_BELOW_REGULAR,
  OptionalRupeesTextSchema,
  RupeesTextSchema,
} from '#scripts/api/office/forms/amount.ts';
import { defineForm } from '#scripts/api/office/forms/parse.ts';
import { PICTURE_TYPES } from '#scripts/api/pictures/upload.ts';

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
export const listText = (values: readonly string[]): string =>
  values.join('\n') + (values.length === 1 && values[0]?.includes(',') ? '\n' : '');

const { title, description, category, parentCategory } = ProductSchema.entries;

/** The fields of a product that have one value each. `draft.ts` adds the pictures and the other attributes. */
export const productForm = defineForm(
  v.pipe(
    v.object({
      title,
      regularPrice: RupeesTextSchema,
      discountedPrice: OptionalRupeesTextSchema,
      description,
      category,
      parentCategory,
      featured: v.boolean(),
      sizes: ListTextSchema,
      colours: ListTextSchema,
    }),
    v.forward(
      v.partialCheck([['regularPrice'], ['discountedPrice']], isSaleBelowRegular, NOT_BELOW_REGULAR),
      ['discountedPrice'],
    ),
  ),
  {
    title: {
      label: 'Title',
      control: 'text',
      hint: 'It also describes the pictures to people who cannot see them.',
    },
    regularPrice: {
      label: `Regular price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      hint: 'Such as 129.50 or 1,299.',
    },
    discountedPrice: {
      label: `Sale price in ${CURRENCY.symbol}`,
      control: 'text',
      inputmode: 'decimal',
      isOptional: true,
      hint: 'The reduced price that customers pay. The regular price stands beside it, struck out.',
    },
    description: { label: 'Description', control: 'textarea', isOptional: true, rows: 6 },
    category: { label: 'Category', control: 'text' },
    parentCategory: { label: 'Parent category', control: 'text' },
    featured: { label: 'Featured on the home page', control: 'checkbox' },
    sizes: {
      label: 'Sizes',
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'One a line, or separated by commas.',
    },
    colours: {
      label: 'Colours',
      control: 'textarea',
      rows: 3,
      isOptional: true,
      hint: 'One a line, or separated by commas.',
    },
  },
);

export const ID_FIELD = {
  label: 'Id',
  control: 'text',
  isOptional: true,
  hint: 'Stands in the address of the page and cannot be changed later. Made from the title when empty.',
} as const;

/** The fields of another attribute. */
export const KEY_FIELD = { label: 'Name', control: 'text' } as const;

export const VALUES_FIELD = { label: 'Values, one a line', control: 'textarea' } as const;

export const UNIT_FIELD = { label: 'Unit', control: 'text' } as const;

export const PICTURES_FIELD = {
  label: 'Add pictures',
  control: 'files',
  accept: PICTURE_TYPES,
  isOptional: true,
  hint: 'JPEG, PNG, WebP or AVIF, each up to 15 MB, together up to 32 MB.',
} as const;
