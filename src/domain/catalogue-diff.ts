import type { ProductSummary } from './product.ts';

/** How a catalogue differs from what was published of it. */
export interface CatalogueDiff {
  readonly repriced: number;
  /** Another name, category, size or colour. */
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

type Summary = Omit<ProductSummary, 'image'>;

const samePrice = (one: Summary, other: Summary): boolean =>
  one.price === other.price && one.originalPrice === other.originalPrice;

const wordsOf = ({ name, category, sizes, colors }: Summary): string =>
  JSON.stringify([name, category, sizes, colors]);

/** Compares by id what cards show; pictures aside, whose addresses are the build's own. */
export function diffCatalogues(published: readonly Summary[], live: readonly Summary[]): CatalogueDiff {
  const before = new Map(published.map((product) => [product.id, product]));
  const now = new Set(live.map(({ id }) => id));
  const pairs = live.flatMap((product) => {
    const old = before.get(product.id);
    return old ? [[old, product] as const] : [];
  });
  return {
    repriced: pairs.filter(([old, product]) => !samePrice(old, product)).length,
    changed: pairs.filter(([old, product]) => wordsOf(old) !== wordsOf(product)).length,
    added: live.length - pairs.length,
    removed: published.filter(({ id }) => !now.has(id)).length,
  };
}
