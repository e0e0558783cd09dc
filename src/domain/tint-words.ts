import type { TintWords } from './tint.ts';

/** The panel colour behind the picture of a product, by words in its name (tint-0 to tint-11 in styles/price.css). */
export const tintWords: TintWords = [
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
  // Varieties that share a picture get different colours.
  [/kesar|kinnow|royal/i, 7],
  [/dasheri|ambri/i, 5],
  [/langra|thompson/i, 10],
  [/himsagar|malta/i, 4],
  [/totapuri/i, 8],
];
