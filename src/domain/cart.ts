import { type Fields, fieldsOf, listOf, parseJson } from './json.ts';
import { isPrice, type Rupees } from './money.ts';
import type { ProductSummary } from './product.ts';

/** Of a line of a cart or order. */
export const MIN_QUANTITY = 1;
export const MAX_QUANTITY = 9_999;
export const QUANTITY_WRONG = 'Type whole pieces, from 1 to 9,999';

export const MAX_PRODUCTS = 100;

/** Returns a whole number from 1 to 9,999, or undefined for an invalid value. */
export function toQuantity(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= MIN_QUANTITY)) return undefined;
  return Math.min(Math.floor(number), MAX_QUANTITY);
}

/** A line as localStorage stores it under the key `cart`. '' means no size or no colour. */
export interface CartLine {
  readonly id: string;
  readonly name: string;
  /** The server's address of the picture. */
  readonly image: string;
  readonly price: Rupees;
  readonly quantity: number;
  readonly selectedSize: string;
  readonly selectedColor: string;
}

export type Cart = readonly CartLine[];

export const CART_KEY = 'cart';

export const REQUESTS_AT_ONCE = 6;

type Identity = Pick<CartLine, 'id' | 'selectedSize' | 'selectedColor'>;

/** The identity of a cart line: product id, size and colour. */
export const lineKey = ({ id, selectedSize, selectedColor }: Identity): string =>
  JSON.stringify([id, selectedSize, selectedColor]);

/** The chosen size and colour, such as 'M · red', or ''. */
export const choiceText = ({ selectedSize, selectedColor }: CartLine): string =>
  [selectedSize, selectedColor].filter(Boolean).join(' · ');

export function toLine(
  product: ProductSummary,
  choice: { size: string; color: string; quantity: number },
): CartLine {
  return {
    id: product.id,
    name: product.name,
    image: product.image,
    price: product.price,
    quantity: choice.quantity,
    selectedSize: choice.size,
    selectedColor: choice.color,
  };
}

export function addLine(cart: Cart, line: CartLine): Cart {
  const key = lineKey(line);
  if (!cart.some((existing) => lineKey(existing) === key)) return [...cart, line];
  return cart.map((existing) =>
    lineKey(existing) === key
      ? { ...line, quantity: Math.min(existing.quantity + line.quantity, MAX_QUANTITY) }
      : existing,
  );
}

export function productQuantities(cart: Cart): Record<string, number> {
  const quantities = new Map<string, number>();
  for (const { id, quantity } of cart) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  return Object.fromEntries(quantities);
}

export const itemCount = (cart: Cart): number => cart.reduce((sum, line) => sum + line.quantity, 0);

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 10_000) : '');

function toStoredLine(value: unknown): CartLine | undefined {
  const line: Fields<keyof CartLine> = fieldsOf(value);
  const quantity = toQuantity(line.quantity);
  if (typeof line.id !== 'string' || line.id === '' || quantity === undefined) return undefined;
  return {
    id: line.id,
    name: text(line.name),
    image: text(line.image),
    price: isPrice(line.price) ? line.price : 0,
    quantity,
    selectedSize: text(line.selectedSize),
    selectedColor: text(line.selectedColor),
  };
}

/** Adds up lines of the same identity. One pass, because a cart of 500 lines is read at every click. */
export function mergeLines(lines: readonly CartLine[]): Cart {
  const merged = new Map<string, CartLine>();
  for (const line of lines) {
    const key = lineKey(line);
    const quantity = merged.get(key)?.quantity ?? 0;
    merged.set(key, { ...line, quantity: Math.min(quantity + line.quantity, MAX_QUANTITY) });
  }
  return [...merged.values()];
}

export interface StoredCart {
  readonly lines: Cart;
  /** Whether a newer version of the shop wrote it. Such a cart is shown but never overwritten. */
  readonly readOnly: boolean;
}

const LINES_LIMIT = 2_000;

/** Reads the stored cart. Drops invalid lines and never throws. */
export function decodeCart(stored: string | null | undefined): StoredCart {
  const value = parseJson(stored);
  const newer: Fields<'version' | 'lines'> = fieldsOf(value);
  const readOnly = typeof newer.version === 'number' && Array.isArray(newer.lines);
  const lines = listOf(readOnly ? newer.lines : value)
    .map(toStoredLine)
    .filter((line) => line !== undefined)
    .slice(0, LINES_LIMIT);
  return { lines: mergeLines(lines), readOnly };
}
