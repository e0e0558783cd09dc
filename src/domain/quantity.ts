/** How many pieces of a product a line of a cart or of an order has. */
export const MIN_QUANTITY = 1;
export const MAX_QUANTITY = 9_999;

/** The most products that an order can have. */
export const MOST_PRODUCTS = 100;

/** Returns a whole number from 1 to 9,999, or undefined for a value that is none. */
export function toQuantity(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= MIN_QUANTITY)) return undefined;
  return Math.min(Math.floor(number), MAX_QUANTITY);
}
