import type { Rupees } from './money.ts';
import { toPaise } from './money.ts';
import { cutToBytes, firstWithin } from './page-bytes.ts';

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
  /** The regular price, only when there is a discounted one. */
  readonly originalPrice?: Rupees;
  /** The server's address of the first picture, or ''. */
  readonly image: string;
  /** Every picture's address, the first one included. */
  readonly images: readonly string[];
  readonly category: string;
  readonly parentCategory: string;
  readonly description: string;
  readonly featured: boolean;
  readonly sizes: readonly string[];
  readonly colors: readonly string[];
  readonly attributes: readonly Attribute[];
  /** When it came into the shop, as the server wrote it (an ISO time). */
  readonly createdAt?: string;
}

/** What a card shows and a cart line needs: a product without its long texts. */
export type ProductSummary = Pick<
  Product,
  'id' | 'name' | 'price' | 'originalPrice' | 'image' | 'category' | 'sizes' | 'colors'
>;

const ONE_SIZE = 'One Size';
/** Specification rows at most (spec 9). */
const SPECIFICATION_LIMIT = 10;
/** Bytes of a row's values in a page at most (faults 62). */
const SPECIFICATION_BYTES = 400;
const CATEGORY_BYTES = 300;
const SHORT_ID_LENGTH = 8;

const keyOf = (attribute: Attribute): string => attribute.key.trim().toLowerCase();

/** The values of every attribute with one of the names, compared without case and outer spaces (resolutions 21a). */
export function attributeValues(attributes: readonly Attribute[], names: readonly string[]): string[] {
  return attributes.filter((attribute) => names.includes(keyOf(attribute))).flatMap(({ values }) => values);
}

export function isFeatured(attributes: readonly Attribute[]): boolean {
  return attributeValues(attributes, ['featured']).some((value) => value.toLowerCase().includes('true'));
}

/** Choices of one kind at most, and their bytes in a page: of each and together (faults 62). */
const OPTION_LIMIT = 60;
const OPTION_BYTES = 200;
const OPTIONS_BYTES = 1_600;

const options = (attributes: readonly Attribute[], names: readonly string[]): string[] => {
  const values = attributeValues(attributes, names).map((value) => cutToBytes(value.trim(), OPTION_BYTES));
  const choices = [...new Set(values)].filter((value) => value !== '').slice(0, OPTION_LIMIT);
  return firstWithin(choices, OPTIONS_BYTES);
};

export const sizesOf = (attributes: readonly Attribute[]): string[] => options(attributes, ['size', 'sizes']);

export const colorsOf = (attributes: readonly Attribute[]): string[] =>
  options(attributes, ['color', 'colour', 'colors']);

/** What an option's key is called, whichever of its spellings the server has. */
const OPTION_LABELS: Readonly<Record<string, string>> = {
  size: 'Sizes',
  sizes: 'Sizes',
  color: 'Colours',
  colour: 'Colours',
  colors: 'Colours',
};

const isOption = (attribute: Attribute): boolean => Object.hasOwn(OPTION_LABELS, keyOf(attribute));

/** `countryOfOrigin`, `country_of_origin` and 'country of origin' are 'Country of origin'; 'pH value' stays. */
function labelOf(attribute: Attribute): string {
  if (isOption(attribute)) return OPTION_LABELS[keyOf(attribute)] ?? '';
  const key = attribute.key.trim().replace(/_+/g, ' ');
  if (/^[a-z][A-Z]/.test(key)) return key;
  const words = key.replace(/\B[A-Z](?=[a-z])/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const saysSomething = ({ values }: Attribute): boolean => values.some((value) => value.trim() !== '');

/**
 * The rows of the specification table: no key with 'phone', ten at most (spec 2, product detail). That the shop features
 * the product is a mark for the shop, and says nothing of the product. The options come last: they are offered above.
 */
export function specifications(attributes: readonly Attribute[]): { name: string; value: string }[] {
  const told = attributes
    .filter((attribute) => !keyOf(attribute).includes('phone') && keyOf(attribute) !== 'featured')
    .filter(saysSomething);
  return [...told.filter((attribute) => !isOption(attribute)), ...told.filter(isOption)]
    .slice(0, SPECIFICATION_LIMIT)
    .map((attribute) => ({
      name: labelOf(attribute),
      value:
        cutToBytes(attribute.values.join(', '), SPECIFICATION_BYTES) +
        (attribute.unit ? ` ${attribute.unit}` : ''),
    }));
}

/** 'Shoe Size', 'Size' or 'Clothing Size' (spec 2, product detail). */
export function sizeHeading(product: Pick<Product, 'category' | 'description' | 'sizes'>): string {
  if (/footwear|shoes/i.test(`${product.category} ${product.description}`)) return 'Shoe Size';
  return product.sizes.length === 1 && product.sizes[0] === ONE_SIZE ? 'Size' : 'Clothing Size';
}

/** A category as it is shown; its whole name is what the server is asked for (faults 59, 62). */
export const shownCategory = (category: string): string => cutToBytes(category, CATEGORY_BYTES);

export const shortId = (id: string): string => id.slice(0, SHORT_ID_LENGTH);

export const isPriced = ({ price }: Pick<Product, 'price'>): boolean => price > 0;

/** The 'Sale' badge and the struck-out price stand only here (resolutions 11). */
export function isOnSale({ price, originalPrice }: Pick<Product, 'price' | 'originalPrice'>): boolean {
  return originalPrice !== undefined && price > 0 && price < originalPrice;
}

/** Whole per cent off the regular price, rounded down so that a saving is never overstated; 0 when not on sale. */
export function discountPercent(product: Pick<Product, 'price' | 'originalPrice'>): number {
  if (!isOnSale(product) || product.originalPrice === undefined) return 0;
  return Math.floor((1 - toPaise(product.price) / toPaise(product.originalPrice)) * 100);
}

/** The only value there is, or '' (spec 2, product card). */
export const onlyOption = (options: readonly string[]): string =>
  options.length === 1 ? (options[0] ?? '') : '';

/** Whether a card may add at once: priced, and at most one size and one colour (resolutions 33). */
export function addsAtOnce(product: Pick<Product, 'price' | 'sizes' | 'colors'>): boolean {
  return isPriced(product) && product.sizes.length <= 1 && product.colors.length <= 1;
}
