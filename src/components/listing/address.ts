import { type ListingQuery, listingHeading, listingSearch, parseListingQuery } from '#domain/listing.ts';
import {
  type ListingDataIndex,
  listingDataPath,
  listingDataSlug,
  readListingDataIndex,
} from '#domain/listing-data.ts';
import { nameKey } from '#domain/product.ts';
import { withoutTail } from '#stores/shell/address.ts';

export interface Listing {
  readonly query: ListingQuery;
  readonly heading: string;
  /** The heading for the category alone, without the other filters. */
  readonly categoryHeading: string;
  /** The path of the built file; undefined if the build made none for this page. */
  readonly file: string | undefined;
  readonly pages: number;
}

/** The name without its tail, unless a category has that name. */
const knownName = (input: string, names: readonly string[]): string =>
  names.map(nameKey).includes(nameKey(input)) ? input : withoutTail(input);

export const isFiltered = (query: ListingQuery): boolean => listingSearch(query) !== '';

export function readListing(search: string, listingDataIndex: ListingDataIndex): Listing {
  const names = [...listingDataIndex.values()].map(([heading]) => heading);
  const input = parseListingQuery(new URLSearchParams(search));
  const query = {
    ...input,
    category: knownName(input.category, names),
    parentCategory: knownName(input.parentCategory, names),
  };
  const slug = listingDataSlug(query);
  const [, pages = 0] = listingDataIndex.get(slug) ?? [];
  return {
    query,
    heading: listingHeading(query, names),
    categoryHeading: listingHeading({ ...query, parentCategory: '' }, names),
    file: slug && query.page <= pages && !query.refined ? listingDataPath(slug, query.page) : undefined,
    pages,
  };
}

export const readPageListingDataIndex = (): ListingDataIndex =>
  readListingDataIndex(
    document.querySelector<HTMLElement>('[data-listing-index]')?.dataset.listingIndex ?? '',
  );
