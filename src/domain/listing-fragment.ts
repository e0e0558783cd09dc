import {
  filterProducts,
  type ListingQuery,
  listingHeading,
  PAGE_SIZE,
  pageCount,
  parentCategories,
  wireFilters,
} from './listing.ts';
import type { Product } from './product.ts';

/** The listing as files of the build: one per filter and page, so that showing one costs the same in any catalogue. */

/** The file system's limit is 255 bytes. */
const SLUG_LIMIT = 150;
/** Filters that get files; the server answers for the others. */
export const FRAGMENT_LIMIT = 100;
/** Categories of the menu that a shop without categories of its own offers (spec 3). */
const RULED = ['men', 'women', 'accessories'];

/** Lower case and reversible: what is no letter or digit stands as its code between hyphens. */
const safe = (name: string): string =>
  name.toLowerCase().replace(/[^a-z0-9]/g, (character) => `-${character.charCodeAt(0).toString(36)}-`);

/** Names the files of a query; nothing where filters are combined or the name is too long for a file. */
export function fragmentSlug(query: Omit<ListingQuery, 'page'>): string | undefined {
  const filters = [
    query.category && `category-${safe(query.category)}`,
    query.parentCategory && `parent-${safe(query.parentCategory)}`,
    query.featured ? 'featured' : '',
  ].filter((filter) => filter !== '');
  const slug = filters[0] ?? 'all';
  return filters.length <= 1 && slug.length <= SLUG_LIMIT ? slug : undefined;
}

export const fragmentPath = (slug: string, page: number): string => `/listing/${slug}/${page}.json`;

/** What a page knows of the files: heading and number of pages by slug. */
export type KnownFragments = Readonly<Record<string, readonly [heading: string, pages: number]>>;

export interface Fragment {
  readonly slug: string;
  /** What it is filtered by, one thing at most. */
  readonly filter: Partial<ListingQuery>;
  readonly heading: string;
  readonly products: readonly Product[];
}

const EVERYTHING: ListingQuery = { category: '', parentCategory: '', featured: false, page: 1 };

/** The products by a text of theirs in lower case, in their order. */
export function groupBy(
  products: readonly Product[],
  key: (product: Product) => string,
): Map<string, Product[]> {
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const name = key(product).toLowerCase();
    const group = groups.get(name);
    if (group) group.push(product);
    else groups.set(name, [product]);
  }
  return groups;
}

/** Everything, the featured, the store's categories, the parent categories and the rest, as the server would answer. */
export function listingFragments(
  products: readonly Product[],
  storeCategories: readonly string[],
): Fragment[] {
  const categories = groupBy(products, ({ category }) => category);
  const parents = groupBy(products, ({ parentCategory }) => parentCategory);
  const known = [...new Set([...storeCategories, ...parentCategories(products)])];
  const fragments = new Map<string, Fragment>();
  const add = (filter: Partial<ListingQuery>, found: (query: ListingQuery) => readonly Product[]): void => {
    const query = { ...EVERYTHING, ...filter };
    const slug = fragmentSlug(query);
    if (slug === undefined || fragments.has(slug) || fragments.size >= FRAGMENT_LIMIT) return;
    fragments.set(slug, { slug, filter, heading: listingHeading(query, known), products: found(query) });
  };
  const addCategory = (category: string): void => {
    if (category === '') return;
    add({ category }, (query) =>
      wireFilters(query).category === undefined
        ? filterProducts(products, query)
        : (categories.get(category.toLowerCase()) ?? []),
    );
  };
  add({}, () => products);
  add({ featured: true }, (query) => filterProducts(products, query));
  // What the header and the home page link to is never among those that are too many.
  for (const category of [...storeCategories, ...RULED]) addCategory(category);
  for (const parentCategory of parentCategories(products)) {
    add({ parentCategory }, () => parents.get(parentCategory.toLowerCase()) ?? []);
  }
  for (const { category } of products) addCategory(category);
  return [...fragments.values()];
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** What the page carries of its files: a line each, of pages, filter, heading, and the name where it is another. */
export const knownText = (fragments: readonly Fragment[]): string =>
  fragments
    .map(({ filter, heading, products }) => {
      const [[kind, name] = ['', '']] = Object.entries(filter);
      const shown = onOneLine(heading);
      const named = kind === '' || shown.toLowerCase() === String(name).toLowerCase() ? [] : [name];
      return [pageCount(products.length), kind, shown, ...named].join('\t');
    })
    .join('\n');

export const readKnown = (text: string): KnownFragments =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const [pages, kind = '', heading = '', name = heading] = line.split('\t');
      const slug = fragmentSlug({ category: '', parentCategory: '', featured: false, [kind]: name });
      return [slug, [heading, Number(pages)]];
    }),
  );

/** The products of a page of a fragment. */
export const fragmentPage = ({ products }: Fragment, page: number): readonly Product[] =>
  products.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
