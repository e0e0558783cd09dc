import type { Product } from './product.ts';

/** Panel colours there are, tint-0 to tint-11 in styles/price.css. */
const TINT_COUNT = 12;

/** Words of a name that have a panel colour of their own, with its number; of two that fit the later one counts. */
export type TintWords = readonly (readonly [words: RegExp, tint: number])[];

/** The class of the panel behind a product's picture, the same wherever it is drawn; without a word it goes by the id. */
export function tintClass({ id, name }: Pick<Product, 'id' | 'name'>, words: TintWords): string {
  const word = words.findLast(([pattern]) => pattern.test(name));
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `tint-${word ? word[1] : hash % TINT_COUNT}`;
}
