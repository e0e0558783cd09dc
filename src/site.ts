import type { TintWords } from '#domain/tint.ts';

/** What the shop's owner may set without touching the code. */
export const site = {
  /** The address of the shop, for canonical addresses, the sitemap and link previews. */
  origin: 'https://freshfruits.example',
  grievanceOfficer: {
    name: 'Anjali Deshmukh',
    designation: 'Grievance Officer',
    hours: 'Monday to Friday 10:00-17:00',
  },
  /** Shown with the seller's name on every page, unless ''. A food shop in India must show its FSSAI number. */
  licences: { FSSAI: '', GSTIN: '' },
  supportHours: 'Monday to Saturday, 10AM - 6PM',
  /** Named in the advice on the registration page (resolutions 21c). */
  emailProviders: ['gmail.com', 'outlook.com'],
} as const;

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
