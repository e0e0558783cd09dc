const KINDS = ['Mango', 'Papaya', 'Guava', 'Lychee', 'Kettle', 'Kurta', 'Sandal', 'Lamp', 'Soap', 'Basket'];
const CATEGORIES = [
  'Tropical Fruits',
  'Citrus Fruits',
  'Berries',
  'Kitchen',
  'Men',
  'Women',
  'Footwear',
  'Electronics',
];
const PARENTS = ['Fresh Fruits', 'Home', 'Fashion'];
const SENTENCE = 'Picked ripe in the early morning, packed the same day and sent on its way before noon. ';

const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? '';

/** A product as the API sends it, as long as a real one. The same index always gives the same product. */
export const generatedProduct = (index: number): Record<string, unknown> => ({
  id: `g-${String(index).padStart(6, '0')}`,
  title: `${pick(KINDS, index)} no. ${index}`,
  description: SENTENCE.repeat(2 + (index % 4)),
  imgUrl: `https://img.shop.example/${index % 500}.webp`,
  category: pick(CATEGORIES, index * 7),
  parentCategory: pick(PARENTS, index * 5),
  regularPrice: 50 + ((index * 37) % 4_000),
  discountedPrice: index % 3 === 0 ? 40 + ((index * 37) % 4_000) : null,
  createdAt: '2026-01-01T00:00:00Z',
  images: [
    { url: `https://img.shop.example/${index % 500}.webp` },
    { url: `https://img.shop.example/${index % 499}-b.webp` },
  ],
  attributes: [
    { key: 'Net weight', values: [String(100 + (index % 900))], metricUnit: 'g' },
    { key: 'Origin', values: ['Ratnagiri, Maharashtra'] },
    { key: 'Storage', values: ['Cool and dry'] },
    ...(index % 4 === 0
      ? [
          { key: 'Size', values: ['S', 'M', 'L'] },
          { key: 'Color', values: ['Green', 'White'] },
        ]
      : []),
    ...(index % 50 === 0 ? [{ key: 'featured', values: ['true'] }] : []),
  ],
});

export const generatedProducts = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, index) => generatedProduct(index));
