import type { Rupees } from './money.ts';
import { toPaise } from './money.ts';
import { cutToBytes, firstWithinBytes } from './page-bytes.ts';

export interface Attribute {
  readonly key: string;
  readonly values: readonly string[];
  /** Shown after the value, such as `kg` (resolutions 21a). */
  readonly unit?: string;
}

/** A product as the storefront uses it (spec 3). */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  /** The regular price, present only when there is a discounted one. */
  readonly originalPrice?: Rupees | undefined;
  /** The server's address of the main picture, or ''. */
  readonly image: string;
  /** The addresses of all pictures, including the main one. */
  readonly images: readonly string[];
  readonly category: string;
  readonly parentCategory: string;
  readonly description: string;
  readonly featured: boolean;
  readonly sizes: readonly string[];
  readonly colors: readonly string[];
  readonly attributes: readonly Attribute[];
  /** When the product was added to the shop, an ISO 8601 time as the server sent it. */
  readonly createdAt?: string | undefined;
}

/** The fields of a product that cards show and cart lines need. */
export type ProductSummary = Pick<
  Product,
  'id' | 'name' | 'price' | 'originalPrice' | 'image' | 'category' | 'sizes' | 'colors'
>;

const ONE_SIZE = 'One Size';
/** The most rows of the specification table (spec 9). */
const SPECIFICATION_LIMIT = 10;
/** The most bytes that the values of one row take up in a page (faults 62). */
const SPECIFICATION_BYTES = 400;
const CATEGORY_BYTES = 300;
const SHORT_ID_LENGTH = 8;

const keyOf = (attribute: Attribute): string => attribute.key.trim().toLowerCase();

/** Whether its name is one of these, which must be in lower case. */
export const isNamed = (attribute: Attribute, names: readonly string[]): boolean =>
  names.includes(keyOf(attribute));

/** The values of all attributes with one of these names, which must be in lower case (resolutions 21a). */
export function attributeValues(attributes: readonly Attribute[], names: readonly string[]): string[] {
  return attributes.filter((attribute) => isNamed(attribute, names)).flatMap(({ values }) => values);
}

export function isFeatured(attributes: readonly Attribute[]): boolean {
  return attributeValues(attributes, ['featured']).some((value) => value.toLowerCase().includes('true'));
}

/** Limits for sizes and for colours: their number, and the bytes in a page of each one and of all (faults 62). */
const OPTION_LIMIT = 60;
const OPTION_BYTES = 200;
const OPTIONS_BYTES = 1_600;

const options = (attributes: readonly Attribute[], names: readonly string[]): string[] => {
  const values = attributeValues(attributes, names).map((value) => cutToBytes(value.trim(), OPTION_BYTES));
  const choices = [...new Set(values)].filter((value) => value !== '').slice(0, OPTION_LIMIT);
  return firstWithinBytes(choices, OPTIONS_BYTES);
};

/** The names of the attributes that customers choose from (resolutions 21a). */
export const SIZE_NAMES = ['size', 'sizes'] as const;

export const COLOUR_NAMES = ['colour', 'color', 'colors'] as const;

export const sizesOf = (attributes: readonly Attribute[]): string[] => options(attributes, SIZE_NAMES);

export const colorsOf = (attributes: readonly Attribute[]): string[] => options(attributes, COLOUR_NAMES);

const isOption = (attribute: Attribute): boolean =>
  isNamed(attribute, SIZE_NAMES) || isNamed(attribute, COLOUR_NAMES);

/** `countryOfOrigin` and `country_of_origin` become 'Country of origin'. 'pH value' stays as it is. */
function labelOf(attribute: Attribute): string {
  if (isOption(attribute)) return isNamed(attribute, SIZE_NAMES) ? 'Sizes' : 'Colours';
  const key = attribute.key.trim().replace(/_+/g, ' ');
  if (/^[a-z][A-Z]/.test(key)) return key;
  const words = key.replace(/\B[A-Z](?=[a-z])/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const valueText = ({ values, unit }: Attribute): string =>
  cutToBytes(values.join(', '), SPECIFICATION_BYTES) + (unit ? ` ${unit}` : '');

const hasText = ({ values }: Attribute): boolean => values.some((value) => value.trim() !== '');

/** Such as 'Storage In the fridge': the first of these attributes that has a value, or ''. Never long (faults 62). */
export function attributeLine(attributes: readonly Attribute[], names: readonly string[]): string {
  const found = names.map((name) => attributes.find((each) => keyOf(each) === name && hasText(each)));
  const attribute = found.find((each) => each !== undefined);
  return attribute ? `${cutToBytes(attribute.key.trim(), OPTION_BYTES)} ${valueText(attribute)}` : '';
}

/**
 * The rows of the specification table: at most ten, and none whose key contains 'phone' (spec 2, product detail).
 * `featured` is left out, because it says nothing about the product. Sizes and colours come last, because the page
 * already offers them above the table.
 */
export function specifications(attributes: readonly Attribute[]): { name: string; value: string }[] {
  const shown = attributes
    .filter((attribute) => !keyOf(attribute).includes('phone') && keyOf(attribute) !== 'featured')
    .filter(hasText);
  return [...shown.filter((attribute) => !isOption(attribute)), ...shown.filter(isOption)]
    .slice(0, SPECIFICATION_LIMIT)
    .map((attribute) => ({ name: labelOf(attribute), value: valueText(attribute) }));
}

/** 'Shoe Size', 'Size' or 'Clothing Size' (spec 2, product detail). */
export function sizeHeading(product: Pick<Product, 'category' | 'description' | 'sizes'>): string {
  if (/footwear|shoes/i.test(`${product.category} ${product.description}`)) return 'Shoe Size';
  return product.sizes.length === 1 && product.sizes[0] === ONE_SIZE ? 'Size' : 'Clothing Size';
}

/** A category cut to its length on pages. Requests to the server use the whole name (faults 59, 62). */
export const shownCategory = (category: string): string => cutToBytes(category, CATEGORY_BYTES);

export const shortId = (id: string): string => id.slice(0, SHORT_ID_LENGTH);

export const isPriced = ({ price }: Pick<Product, 'price'>): boolean => price > 0;

/** Whether the 'Sale' badge and the struck-out price are shown (resolutions 11). */
export function isOnSale({ price, originalPrice }: Pick<Product, 'price' | 'originalPrice'>): boolean {
  return originalPrice !== undefined && price > 0 && price < originalPrice;
}

/** Whole per cent off the regular price, rounded down so that a saving is never overstated; 0 when not on sale. */
export function discountPercent(product: Pick<Product, 'price' | 'originalPrice'>): number {
  if (!isOnSale(product) || product.originalPrice === undefined) return 0;
  const [price, originalPrice] = [toPaise(product.price), toPaise(product.originalPrice)];
  return Math.floor(((originalPrice - price) * 100) / originalPrice);
}

/** The value to preselect: the only one, or '' if there is none or a choice (spec 2, product card). */
export const onlyOption = (options: readonly string[]): string =>
  options.length === 1 ? (options[0] ?? '') : '';

/** Whether a card adds to the cart without a choice: at most one size and one colour, and a price (resolutions 33). */
export function addsAtOnce(product: Pick<Product, 'price' | 'sizes' | 'colors'>): boolean {
  return isPriced(product) && product.sizes.length <= 1 && product.colors.length <= 1;
}
