import { slugOf } from '#scripts/api/catalogue/product-ids.ts';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';

/** Returns the indexes of a longest non-decreasing subsequence, so that as few products as possible change their file. */
function longestNonDecreasing(files: readonly (string | undefined)[]): ReadonlySet<number> {
  /** For each length, the index at which the subsequence with the lowest last file ends. */
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const [place, file] of files.entries()) {
    if (file === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((files[ends[middle] ?? 0] ?? '') <= file) low = middle + 1;
      else high = middle;
    }
    previous.set(place, ends[low - 1]);
    ends[low] = place;
  }
  const indexes = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = previous.get(place)) indexes.add(place);
  return indexes;
}

/** A file for each run of products of one category, such as `02-berries.json`. */
function filesByCategory(products: readonly CatalogueProduct[]): string[] {
  const runs: number[] = [];
  for (const [index, { category }] of products.entries()) {
    const isSame = index > 0 && products[index - 1]?.category === category;
    runs.push((runs.at(-1) ?? 0) + (isSame ? 0 : 1));
  }
  const digits = Math.max(2, String(runs.at(-1) ?? 0).length);
  return products.map(
    ({ category }, index) =>
      `${String(runs[index]).padStart(digits, '0')}-${slugOf(category) || 'products'}.json`,
  );
}

/**
 * Divides the products of the shop among files whose names, sorted, give the order of the shop. Products stay in their
 * file where the order allows it. The others, and new ones, go to the file of the one before.
 * @param fileOf the file that a product is in so far
 */
export function productFiles(
  products: readonly CatalogueProduct[],
  fileOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly CatalogueProduct[]> {
  const known = products.map(({ id }) => fileOf.get(id));
  const staying = longestNonDecreasing(known);
  const fresh = staying.size === 0 ? filesByCategory(products) : undefined;
  const files = new Map<string, CatalogueProduct[]>();
  let file = known.find((_, place) => staying.has(place)) ?? '';
  for (const [place, product] of products.entries()) {
    file = fresh?.[place] ?? (staying.has(place) ? known[place] : undefined) ?? file;
    const list = files.get(file);
    if (list) list.push(product);
    else files.set(file, [product]);
  }
  return files;
}
