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
  /** What the category alone is called. */
  readonly categoryHeading: string;
  /** The build's file for the query, where there is one. */
  readonly file: string | undefined;
  /** How many pages the build has of it; 0 where it knows nothing of such a query. */
  readonly pages: number;
}

/** Whether the page shows something else than what it was built with. */
export const isFiltered = (query: ListingQuery): boolean => listingSearch(query) !== '';

/** What the address asks for, and whether the build has it. */
export function readListing(search: string, known: FragmentIndex): Listing {
  const query = parseListingQuery(new URLSearchParams(search));
  const slug = fragmentSlug(query);
  const [, pages = 0] = (slug !== undefined && Object.hasOwn(known, slug) && known[slug]) || [];
  const names = Object.values(known).map(([heading]) => heading);
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

export const knownFragmentsOfPage = (): FragmentIndex =>
  readFragmentIndex(document.querySelector<HTMLElement>('[data-known]')?.dataset.known ?? '');
