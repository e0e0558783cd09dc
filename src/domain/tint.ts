import type { Product } from './product.ts';

/** Panel colours by words in product names. The last match counts. */
const TINT_WORDS: readonly (readonly [words: RegExp, tint: number])[] = [
  [/mango|muskmelon/i, 0],
  [/strawberr|raspberr|cherr|lychee/i, 1],
  [/orange|papaya|peach|kinnow/i, 2],
  [/dragon|guava/i, 3],
  [/pomegranate|apple(?!.*pine)|tomato/i, 4],
  [/kiwi|lime|mosambi|custard|amla/i, 5],
  [/grape|plum|jamun|blackberr/i, 6],
  [/banana|lemon|pineapple/i, 7],
  [/watermelon/i, 8],
  [/blueberr/i, 9],
  [/avocado|\bpears?\b/i, 10],
  // Varieties with the same picture get different colours.
  [/kesar|kinnow|royal/i, 7],
  [/dasheri|ambri/i, 5],
  [/langra|thompson/i, 10],
  [/himsagar|malta/i, 4],
  [/totapuri/i, 8],
];

/** tint-0 to tint-11 in styles/price.css. */
const TINT_COUNT = 12;

/** Returns the class of the panel behind a product's picture. If no word matches the name, the id decides. */
export function tintClass({ id, name }: Pick<Product, 'id' | 'name'>): string {
  const word = TINT_WORDS.findLast(([pattern]) => pattern.test(name));
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return `tint-${word ? word[1] : hash % TINT_COUNT}`;
}
