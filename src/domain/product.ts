import type { ProductBuying } from './buying/facts.ts';
import { type Rupees, toPaise } from './money.ts';

/** All fields of a type, also the optional ones, for code that must handle every field, including new ones. */
export type Whole<T> = { readonly [Name in keyof Required<T>]: T[Name] };

export interface Attribute {
  readonly key: string;
  readonly values: readonly string[];
  /** Shown after the value, such as `kg`. */
  readonly unit?: string;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  /** The regular price, present only if there is a discounted one. */
  readonly originalPrice?: Rupees | undefined;
  /** When the discounted price that holds now began and ends, in ISO 8601. */
  readonly saleFrom?: string | undefined;
  readonly saleUntil?: string | undefined;
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
  /** Stock and limits, where the API has any. `availabilityOf` reads them. */
  readonly buying?: ProductBuying | undefined;
  /** ISO 8601 as the server sent it. */
  readonly createdAt?: string | undefined;
}

export type ProductSummary = Pick<
  Product,
  'id' | 'name' | 'price' | 'originalPrice' | 'image' | 'category' | 'sizes' | 'colors'
>;

const ONE_SIZE = 'One Size';
const SHORT_ID_LENGTH = 8;

/** A small `foldText` for the names of categories, because the first scripts of pages compare them. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .toLowerCase();

export const attributeKey = (attribute: Attribute): string => attribute.key.trim().toLowerCase();

/** @param names in lower case */
export const isNamed = (attribute: Attribute, names: readonly string[]): boolean =>
  names.includes(attributeKey(attribute));

/** @param names in lower case */
export function attributeValues(attributes: readonly Attribute[], names: readonly string[]): string[] {
  return attributes.filter((attribute) => isNamed(attribute, names)).flatMap(({ values }) => values);
}

export function sizeHeading(product: Pick<Product, 'category' | 'description' | 'sizes'>): string {
  if (/footwear|shoes/i.test(`${product.category} ${product.description}`)) return 'Shoe Size';
  return product.sizes.length === 1 && product.sizes[0] === ONE_SIZE ? 'Size' : 'Clothing Size';
}

export const shortId = (id: string): string => id.slice(0, SHORT_ID_LENGTH);

export const isPriced = ({ price }: Pick<Product, 'price'>): boolean => price > 0;

/** Whether the 'Sale' badge and the struck-out price are shown. */
export function isOnSale({ price, originalPrice }: Pick<Product, 'price' | 'originalPrice'>): boolean {
  return originalPrice !== undefined && price > 0 && price < originalPrice;
}

/** Returns whole per cent, rounded down so that a saving is never overstated; 0 if not on sale. */
export function discountPercent(product: Pick<Product, 'price' | 'originalPrice'>): number {
  if (!isOnSale(product) || product.originalPrice === undefined) return 0;
  const [price, originalPrice] = [toPaise(product.price), toPaise(product.originalPrice)];
  return Math.floor(((originalPrice - price) * 100) / originalPrice);
}

/** Returns the only option, which is preselected, or ''. */
export const onlyOption = (options: readonly string[]): string =>
  options.length === 1 ? (options[0] ?? '') : '';

/** Whether a card can add the product without a choice: at most one size and one colour. */
export const addsAtOnce = ({ sizes, colors }: Pick<Product, 'sizes' | 'colors'>): boolean =>
  sizes.length <= 1 && colors.length <= 1;

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

/** A hash of eight hex digits (FNV-1a of the JSON). Two values have the same hash in one of four billion cases. */
export function fingerprint(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const character of JSON.stringify(value)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
