import type { ListedProduct } from '#scripts/api/catalogue/product-list.ts';

/** So many names fit into a page that is still small. */
const MOST = 60;

type Name = 'category' | 'parentCategory';

/** The names that products have already, those with the most products first. */
export function categoryNames(products: readonly ListedProduct[], name: Name): string[] {
  const counts = new Map<string, number>();
  for (const product of products) counts.set(product[name], (counts.get(product[name]) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([value]) => value);
}
