import { availabilityOf, isBuyable } from './buying/availability.ts';
import {
  ALL_PRODUCTS,
  filterParams,
  type ListingQuery,
  listedProducts,
  listingHeading,
  PAGE_SIZE,
  pageCount,
  parentCategories,
} from './listing.ts';
import { toPaise } from './money.ts';
import { isOnSale, nameKey, type Product } from './product.ts';
import type { FilterIndex, RowsByValue } from './refine.ts';
import { MENU_CATEGORIES } from './store-info.ts';

/*
 * The build writes the listing as files, one for each filter and page. A page of the listing then costs the browser the
 * same, however large the catalogue is.
 */

/** In bytes. File systems limit names to 255 bytes. */
const SLUG_LIMIT = 150;
/** The most filters that get files. For other filters the browser requests the API. */
export const LISTING_DATA_LIMIT = 100;

/** Lower-cases, and writes each character that is not a letter or digit as its code between hyphens. */
const fileNameOf = (name: string): string =>
  nameKey(name).replace(/[^a-z0-9]/g, (character) => `-${character.charCodeAt(0).toString(36)}-`);

/** Returns undefined if filters are combined or the name is too long for a file. */
export function listingDataSlug(query: Omit<ListingQuery, 'page'>): string | undefined {
  const filters = [
    query.category && `category-${fileNameOf(query.category)}`,
    query.parentCategory && `parent-${fileNameOf(query.parentCategory)}`,
    query.featured ? 'featured' : '',
  ].filter((filter) => filter !== '');
  const slug = filters[0] ?? 'all';
  return filters.length <= 1 && slug.length <= SLUG_LIMIT ? slug : undefined;
}

export const listingDataPath = (slug: string, page: number): string => `/listing/${slug}/${page}.json`;

/** Lists the files that exist: heading and number of pages by slug. */
export type ListingDataIndex = ReadonlyMap<string | undefined, readonly [heading: string, pages: number]>;

export interface ListingData {
  readonly slug: string;
  /** Has one property, or none for all products. */
  readonly filter: Partial<ListingQuery>;
  readonly heading: string;
  readonly products: readonly Product[];
}

/**
 * Returns the products that the API would return for each filter. The most important filters come first. Runs in the
 * build: Chrome 109 has no `Map.groupBy`.
 */
export function listingDataFiles(
  products: readonly Product[],
  storeCategories: readonly string[],
): ListingData[] {
  const categories = Map.groupBy(products, ({ category }) => nameKey(category));
  const parents = Map.groupBy(products, ({ parentCategory }) => nameKey(parentCategory));
  const categoryNames = [...new Set([...storeCategories, ...parentCategories(products)])];
  const files = new Map<string, ListingData>();
  const add = (filter: Partial<ListingQuery>, select: (query: ListingQuery) => readonly Product[]): void => {
    const query = { ...ALL_PRODUCTS, ...filter };
    const slug = listingDataSlug(query);
    if (slug === undefined || files.has(slug) || files.size >= LISTING_DATA_LIMIT) return;
    files.set(slug, {
      slug,
      filter,
      heading: listingHeading(query, categoryNames),
      products: select(query),
    });
  };
  const addCategory = (category: string): void => {
    if (category === '') return;
    add({ category }, (query) =>
      filterParams(query).category === undefined
        ? listedProducts(products, query)
        : (categories.get(nameKey(category)) ?? []),
    );
  };
  add({}, () => products);
  add({ featured: true }, (query) => listedProducts(products, query));
  // First the categories that the header and the home page link to, because LISTING_DATA_LIMIT may cut off the rest.
  for (const category of [...storeCategories, ...MENU_CATEGORIES]) addCategory(category);
  for (const parentCategory of parentCategories(products)) {
    add({ parentCategory }, () => parents.get(nameKey(parentCategory)) ?? []);
  }
  for (const { category } of products) addCategory(category);
  return [...files.values()];
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/**
 * Writes the index for an attribute of the page. Each line has the number of pages, the filter, the heading and, if it
 * differs from the heading, the category name, separated by tabs.
 */
export const writeListingDataIndex = (files: readonly ListingData[]): string =>
  files
    .map(({ filter, heading, products }) => {
      const [[kind, name] = ['', '']] = Object.entries(filter);
      const headingLine = onOneLine(heading);
      const isNameOmitted = kind === '' || nameKey(headingLine) === nameKey(String(name));
      return [pageCount(products.length), kind, headingLine, ...(isNameOmitted ? [] : [name])].join('\t');
    })
    .join('\n');

export const readListingDataIndex = (text: string): ListingDataIndex =>
  new Map(
    text.split('\n').map((line) => {
      const [pages, kind = '', heading = '', name = heading] = line.split('\t');
      const slug = listingDataSlug({ ...ALL_PRODUCTS, [kind]: name });
      return [slug, [heading, Number(pages)]];
    }),
  );

export const listingDataPage = ({ products }: ListingData, page: number): readonly Product[] =>
  products.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

const DAY_MS = 86_400_000;

function rowsBy(products: readonly Product[], values: (product: Product) => readonly string[]): RowsByValue {
  const pairs = products.flatMap((product, row) => values(product).map((value) => [value, row] as const));
  const groups = [...Map.groupBy(pairs, ([value]) => value)];
  return Object.fromEntries(groups.map(([value, group]) => [value, group.map(([, row]) => row)]));
}

/**
 * Runs in the build: Chrome 109 has no `Map.groupBy`.
 * @param place the index of a product in the whole catalogue
 * @param now ms since 1970
 */
export function filterIndexOf(
  products: readonly Product[],
  place: (product: Product) => number,
  now: number,
): FilterIndex {
  return {
    at: products.map(place),
    price: products.map(({ price }) => toPaise(price)),
    was: products.map((product) => (isOnSale(product) ? toPaise(product.originalPrice ?? 0) : 0)),
    day: products.map(({ createdAt }) => Math.max(0, Math.floor(Date.parse(createdAt ?? '') / DAY_MS) || 0)),
    out: products.flatMap((product, row) => (isBuyable(availabilityOf(product, now)) ? [] : [row])),
    sizes: rowsBy(products, ({ sizes }) => sizes),
    colors: rowsBy(products, ({ colors }) => colors),
  };
}
