import { cardsAt, fetchBuilt, type ListingPage } from '#api/listing-data.ts';
import { ALL_PRODUCTS, type ListingQuery, PAGE_SIZE } from '#domain/listing.ts';
import { type ListingDataIndex, listingDataSlug } from '#domain/listing-data.ts';
import { toPaise } from '#domain/money.ts';
import { type FilterIndex, isFilterIndex, REFINED_LIMIT, readRefinement, refine } from '#domain/refine.ts';

/* Sorts and filters a listing. Loaded only for an address with such parameters. */

/** Returns the slugs whose intersection is the query: one for each filter, or the whole catalogue. */
function slugsOf({ category, parentCategory, featured }: ListingQuery): (string | undefined)[] {
  const filters = [
    ...(category ? [{ category }] : []),
    ...(parentCategory ? [{ parentCategory }] : []),
    ...(featured ? [{ featured }] : []),
  ];
  return (filters.length > 0 ? filters : [{}]).map((filter) =>
    listingDataSlug({ ...ALL_PRODUCTS, ...filter }),
  );
}

/** What `refine` needs for a query: the index of one of its filters, and what the others leave of it. */
export interface QueryIndex {
  readonly filterIndex: FilterIndex;
  /** The places in the catalogue that match the other filters; undefined without other filters. */
  readonly within: ReadonlySet<number> | undefined;
}

const MAX_PAGES = Math.ceil(REFINED_LIMIT / PAGE_SIZE);

/**
 * Returns the filter index of the query; 'too-long' if the listing has too many products, 'unknown' if the build has none
 * (a new category, or too many of them), and undefined if the file cannot be fetched.
 */
export async function queryIndexOf(
  query: ListingQuery,
  listingDataIndex: ListingDataIndex,
): Promise<QueryIndex | 'too-long' | 'unknown' | undefined> {
  const slugs = slugsOf(query);
  const pages = slugs.map((slug) => listingDataIndex.get(slug)?.[1]);
  if (pages.includes(undefined)) return 'unknown';
  if (pages.some((count = 0) => count > MAX_PAGES)) return 'too-long';
  const [filterIndex, ...others] = await Promise.all(
    slugs.map((slug) => fetchBuilt(`/listing/${slug}/filter-index.json`, isFilterIndex)),
  );
  if (!filterIndex || others.includes(undefined)) return undefined;
  const within = others.map((other) => new Set(other?.at));
  const [first] = within;
  return {
    filterIndex,
    within: first && new Set([...first].filter((place) => within.every((places) => places.has(place)))),
  };
}

export interface RefinedPage extends ListingPage {
  /** The parameters as they were read; '' if they change nothing. */
  readonly refined: string;
}

/** Returns a page of the refined listing from the built files; 'unknown' and undefined as in queryIndexOf. */
export async function refinedPage(
  query: ListingQuery,
  listingDataIndex: ListingDataIndex,
): Promise<RefinedPage | 'unknown' | undefined> {
  const queryIndex = await queryIndexOf(query, listingDataIndex);
  if (queryIndex === 'unknown') return queryIndex;
  if (!queryIndex || queryIndex === 'too-long') return undefined;
  const { filterIndex, within } = queryIndex;
  const search = readRefinement(filterIndex, new URLSearchParams(query.refined));
  const rows = refine(filterIndex, search, within);
  const shown = rows.slice((query.page - 1) * PAGE_SIZE, query.page * PAGE_SIZE);
  const cards = await cardsAt(shown.map((row) => filterIndex.at[row] ?? -1));
  // A different price means a file of another release, in which the places differ.
  const found = cards.filter(
    (card, index) => card && toPaise(card.price) === filterIndex.price[shown[index] ?? -1],
  );
  return found.length < shown.length
    ? undefined
    : { cards: found.filter((card) => card !== undefined), total: rows.length, refined: search.toString() };
}
