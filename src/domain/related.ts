import { nameKey, type Product } from './product.ts';

const SHOWN = 4;

/**
 * Finds the next products of the same category, or of the parent category if the product is alone in its category.
 * Wraps around at the end, so that each product appears on few pages and a new price rebuilds few pages.
 */
export function relatedBy(products: readonly Product[]): (product: Product) => readonly Product[] {
  const related = new Map<Product, readonly Product[]>();
  for (const kind of ['parentCategory', 'category'] as const) {
    for (const group of Map.groupBy(products, (product) => nameKey(product[kind])).values()) {
      if (group.length < 2) continue;
      for (const [row, product] of group.entries()) {
        const next = [...group.slice(row + 1, row + 1 + SHOWN), ...group.slice(0, Math.min(row, SHOWN))];
        related.set(product, next.slice(0, SHOWN));
      }
    }
  }
  return (product) => related.get(product) ?? [];
}
