import type { Product } from './product.ts';

/** The number of panel colours: tint-0 to tint-11 in styles/price.css. */
const TINT_COUNT = 12;

/** Words in product names and the number of their panel colour. If two entries match, the later one counts. */
export type TintWords = readonly (readonly [words: RegExp, tint: number])[];

/** The class of the panel behind a product's picture. If no word matches the name, the id decides. */
export function tintClass({ id, name }: Pick<Product, 'id' | 'name'>, words: TintWords): string {
  const word = words.findLast(([pattern]) => pattern.test(name));
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `tint-${word ? word[1] : hash % TINT_COUNT}`;
}
