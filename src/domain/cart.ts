import type { Paise, Rupees } from './money.ts';
import { isPrice, toPaise } from './money.ts';
import type { ProductSummary } from './product.ts';

/** A line as localStorage stores it under the key `cart`. '' means no size or no colour. */
export interface CartLine {
  readonly id: string;
  readonly name: string;
  /** The address that the server gave. */
  readonly image: string;
  readonly price: Rupees;
  readonly quantity: number;
  readonly selectedSize: string;
  readonly selectedColor: string;
}

export type Cart = readonly CartLine[];

export const MIN_QUANTITY = 1;
export const MAX_QUANTITY = 9_999;

type Identity = Pick<CartLine, 'id' | 'selectedSize' | 'selectedColor'>;

/** The identity of a line: id plus size plus colour (spec 3). */
export const lineKey = ({ id, selectedSize, selectedColor }: Identity): string =>
  JSON.stringify([id, selectedSize, selectedColor]);

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

/** Adds the quantity to the line of the same identity, or appends a new line (spec 4). */
export function addLine(cart: Cart, line: CartLine): Cart {
  const key = lineKey(line);
  if (!cart.some((existing) => lineKey(existing) === key)) return [...cart, line];
  return cart.map((existing) =>
    lineKey(existing) === key
      ? { ...line, quantity: Math.min(existing.quantity + line.quantity, MAX_QUANTITY) }
      : existing,
  );
}

/** Removes every line of the product (spec 4). */
export const removeProduct = (cart: Cart, id: string): Cart => cart.filter((line) => line.id !== id);

/** Takes the quantities of `lines` out of the cart, for an undo. A line that has none left is removed. */
export function subtractLines(cart: Cart, lines: Cart): Cart {
  const quantities = new Map(mergeLines(lines).map((line) => [lineKey(line), line.quantity]));
  return cart
    .map((line) => ({ ...line, quantity: line.quantity - (quantities.get(lineKey(line)) ?? 0) }))
    .filter(({ quantity }) => quantity >= MIN_QUANTITY);
}

/** Ignores a quantity below 1 (spec 4). A quantity above 9,999 becomes 9,999. */
export function setQuantity(cart: Cart, key: string, quantity: number): Cart {
  if (!(quantity >= MIN_QUANTITY)) return cart;
  const whole = Math.min(Math.floor(quantity), MAX_QUANTITY);
  return cart.map((line) => (lineKey(line) === key ? { ...line, quantity: whole } : line));
}

export const lineTotal = ({ price, quantity }: Pick<CartLine, 'price' | 'quantity'>): Paise =>
  toPaise(price) * quantity;

export const cartTotal = (cart: Cart): Paise => cart.reduce((sum, line) => sum + lineTotal(line), 0);

export const itemCount = (cart: Cart): number => cart.reduce((sum, line) => sum + line.quantity, 0);

/** Quantities by product id. Lines of the same product are added up (resolutions 21). */
export function productQuantities(cart: Cart): Record<string, number> {
  const quantities = new Map<string, number>();
  for (const { id, quantity } of cart) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  return Object.fromEntries(quantities);
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 10_000) : '');

/** Returns a whole number from 1 to 9,999, or undefined for a value that is none (faults 26). */
function toQuantity(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= MIN_QUANTITY)) return undefined;
  return Math.min(Math.floor(number), MAX_QUANTITY);
}

function toStoredLine(value: unknown): CartLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const line: Partial<Record<keyof CartLine, unknown>> = value;
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

/** Adds up lines of the same identity. It takes one pass, because a cart of 500 lines is read at every click. */
function mergeLines(lines: readonly CartLine[]): Cart {
  const merged = new Map<string, CartLine>();
  for (const line of lines) {
    const key = lineKey(line);
    const quantity = merged.get(key)?.quantity ?? 0;
    merged.set(key, { ...line, quantity: Math.min(quantity + line.quantity, MAX_QUANTITY) });
  }
  return [...merged.values()];
}

/** Adds removed `lines` to the cart again, in the order of the cart `before`. Lines added since then come last. */
export function putBack(cart: Cart, lines: Cart, before: Cart = lines): Cart {
  const indexes = new Map(before.map((line, index) => [lineKey(line), index]));
  const indexOf = (line: CartLine): number => indexes.get(lineKey(line)) ?? before.length;
  return [...mergeLines([...cart, ...lines])].sort((one, other) => indexOf(one) - indexOf(other));
}

export interface StoredCart {
  readonly lines: Cart;
  /** Whether a newer version of the shop wrote it. Such a cart is shown but never overwritten (faults 28). */
  readonly readOnly: boolean;
}

const LINES_LIMIT = 2_000;

/** Reads the stored cart. Keeps the valid lines, drops the others and never throws (faults 25, 26, 28). */
export function decodeCart(stored: string | null | undefined): StoredCart {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? '[]');
  } catch {
    return { lines: [], readOnly: false };
  }
  const newerLines =
    typeof value === 'object' && value !== null && 'version' in value && 'lines' in value
      ? typeof value.version === 'number' && Array.isArray(value.lines) && value.lines
      : false;
  const list: readonly unknown[] = Array.isArray(value) ? value : newerLines || [];
  const lines = list
    .map(toStoredLine)
    .filter((line) => line !== undefined)
    .slice(0, LINES_LIMIT);
  return { lines: mergeLines(lines), readOnly: newerLines !== false };
}
