import { type ListingQuery, listingHeading, listingSearch, parseListingQuery } from '#domain/listing.ts';
import {
  type ListingDataIndex,
  listingDataPath,
  listingDataSlug,
  readListingDataIndex,
} from '#domain/listing-data.ts';

export interface Listing {
  readonly query: ListingQuery;
  readonly heading: string;
  /** The heading for the category alone, without the other filters. */
  readonly categoryHeading: string;
  /** The path of the built file; undefined if the build made none for this page. */
  readonly file: string | undefined;
  readonly pages: number;
}

export const isFiltered = (query: ListingQuery): boolean => listingSearch(query) !== '';

export function readListing(search: string, listingDataIndex: ListingDataIndex): Listing {
  const query = parseListingQuery(new URLSearchParams(search));
  const slug = listingDataSlug(query);
  const [, pages = 0] = listingDataIndex.get(slug) ?? [];
  const names = [...listingDataIndex.values()].map(([heading]) => heading);
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
