import { type ListingQuery, listingHeading, listingSearch, parseListingQuery } from '#domain/listing.ts';
import {
  type FragmentIndex,
  fragmentPath,
  fragmentSlug,
  readFragmentIndex,
} from '#domain/listing-fragment.ts';

export interface Listing {
  readonly query: ListingQuery;
  readonly heading: string;
  /** The heading for the category alone, without the other filters. */
  readonly categoryHeading: string;
  /** The path of the built file with this page of the listing; undefined if the build made none. */
  readonly file: string | undefined;
  /** How many pages the build made for the filter; 0 if it made none. */
  readonly pages: number;
}

/** Whether the query differs from the one that the page was built for. */
export const isFiltered = (query: ListingQuery): boolean => listingSearch(query) !== '';

/** Reads the listing from the query string of the address. */
export function readListing(search: string, fragmentIndex: FragmentIndex): Listing {
  const query = parseListingQuery(new URLSearchParams(search));
  const slug = fragmentSlug(query);
  const [, pages = 0] =
    (slug !== undefined && Object.hasOwn(fragmentIndex, slug) && fragmentIndex[slug]) || [];
  const names = Object.values(fragmentIndex).map(([heading]) => heading);
  return {
    query,
    heading: listingHeading(query, names),
    categoryHeading: listingHeading({ ...query, parentCategory: '' }, names),
    file:
      slug !== undefined && query.page <= pages && !query.refined
        ? fragmentPath(slug, query.page)
        : undefined,
    pages,
  };
}

export const readPageFragmentIndex = (): FragmentIndex =>
  readFragmentIndex(document.querySelector<HTMLElement>('[data-fragments]')?.dataset.fragments ?? '');
