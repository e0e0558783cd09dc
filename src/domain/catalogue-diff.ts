import type { ProductSummary, Whole } from './product.ts';

export interface CatalogueDiff {
  readonly repriced: number;
  /** Products with another name, category, size or colour. */
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

type Summary = Omit<ProductSummary, 'image'>;

const samePrice = (one: Summary, other: Summary): boolean =>
  one.price === other.price && one.originalPrice === other.originalPrice;

function wordsOf({ name, category, sizes, colors }: Summary): string {
  const words: Whole<Omit<Summary, 'id' | 'price' | 'originalPrice'>> = { name, category, sizes, colors };
  return JSON.stringify(words);
}

/** Compares what cards show. Ignores pictures, because the build gives them its own addresses. */
export function diffCatalogues(published: readonly Summary[], live: readonly Summary[]): CatalogueDiff {
  const publishedById = new Map(published.map((product) => [product.id, product]));
  const liveIds = new Set(live.map(({ id }) => id));
  const pairs = live.flatMap((product) => {
    const old = publishedById.get(product.id);
    return old ? [[old, product] as const] : [];
  });
  return {
    repriced: pairs.filter(([old, product]) => !samePrice(old, product)).length,
    changed: pairs.filter(([old, product]) => wordsOf(old) !== wordsOf(product)).length,
    added: live.length - pairs.length,
    removed: published.filter(({ id }) => !liveIds.has(id)).length,
  };
}
