import type { Product } from './product.ts';

const SHOWN = 4;

function rowsOf(groups: ReadonlyMap<string, readonly Product[]>): Map<Product, number> {
  return new Map(
    [...groups.values()].flatMap((group) => group.map((product, row) => [product, row] as const)),
  );
}

/**
 * Finds the next products of the same category, or of the parent category if the product is alone in its category.
 * Wraps around at the end, so that each product appears on few pages and a new price rebuilds few pages.
 */
export function relatedBy(products: readonly Product[]): (product: Product) => readonly Product[] {
  const categories = Map.groupBy(products, ({ category }) => category.toLowerCase());
  const parents = Map.groupBy(products, ({ parentCategory }) => parentCategory.toLowerCase());
  const rows = { category: rowsOf(categories), parent: rowsOf(parents) };
  return (product) => {
    const siblings = categories.get(product.category.toLowerCase()) ?? [];
    const isAlone = siblings.length < 2;
    const group = isAlone ? (parents.get(product.parentCategory.toLowerCase()) ?? []) : siblings;
    const row = (isAlone ? rows.parent : rows.category).get(product) ?? 0;
    const count = Math.min(SHOWN, group.length - 1);
    return Array.from(
      { length: Math.max(0, count) },
      (_, step) => group[(row + 1 + step) % group.length],
    ).filter((other) => other !== undefined);
  };
}
