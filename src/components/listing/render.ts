import { fetchListingData, type ListingPage } from '#api/listing-data.ts';
import { type ListingQuery, listingSearch, PAGE_SIZE, pageCount } from '#domain/listing.ts';
import { nameKey } from '#domain/product.ts';
import { paths } from '#paths.ts';
import { replaceAddress } from '#stores/shell/address.ts';
import { whenPageIdle } from '#stores/shell/page-load.ts';
import { type Listing, readListing, readPageListingDataIndex } from './address.ts';
import { showFailure, showPage } from './results.ts';

/* Fills the skeletons of a filtered page from the built files, or from the API if there are none. */

const listingDataIndex = readPageListingDataIndex();

type ShownPage = ListingPage & { readonly refined?: string };

async function fetchLive(query: ListingQuery): Promise<ListingPage | undefined> {
  const [{ fetchPublic }, { listingRequest }, { liveListing }] = await Promise.all([
    import('#api/client.ts'),
    import('#api/requests.ts'),
    import('./refresh.ts'),
    import('#api/ky.ts'),
  ]);
  return liveListing(await fetchPublic(listingRequest(query)));
}

async function fetchBuilt(file: string, query: ListingQuery): Promise<ListingPage | undefined> {
  const built = await fetchListingData(file);
  if (built)
    // stale.ts, which handles failed imports, may not have loaded yet.
    whenPageIdle(
      () =>
        void import('./refresh.ts').then(
          ({ refreshListing }) => refreshListing(query, built),
          () => {},
        ),
    );
  return built;
}

/**
 * Refines the listing with the built filter index. For an unknown category, a featured listing is empty, and any other
 * query is loaded again without the refinement.
 */
async function fetchRefined(query: ListingQuery): Promise<ShownPage | undefined> {
  const page = await (await import('./refined.ts')).refinedPage(query, listingDataIndex);
  if (page !== 'unknown') return page;
  if (query.featured) return { cards: [], total: 0 };
  location.replace(paths.products + listingSearch({ ...query, refined: undefined }));
  return new Promise(() => {});
}

async function fetchPage({ query, file, pages }: Listing): Promise<ShownPage | undefined> {
  // The API cannot filter by featured. With another filter, the built filter index does it.
  if (query.refined || (query.featured && file === undefined)) return fetchRefined(query);
  const built = file === undefined ? undefined : await fetchBuilt(file, query);
  if (built || query.featured) return built;
  const live = await fetchLive(query);
  const isBeyond = !live?.cards.length && query.page > pages && pages > 0;
  // If the response fails or is empty, uses the count of the build.
  return isBeyond ? { cards: [], total: live?.total || pages * PAGE_SIZE } : live;
}

function fail(): void {
  showFailure();
  addEventListener('online', begin, { once: true });
}

/** Beyond the last page, shows the last page and its address. Only a filter without matches is empty. */
async function render(listing: Listing): Promise<void> {
  const page = await fetchPage(listing);
  if (!page) return fail();
  const { refined = listing.query.refined } = page;
  const query = { ...listing.query, refined };
  // Nothing of the address could be read as a filter.
  if (!refined) {
    document.querySelector('[data-refine]')?.removeAttribute('aria-current');
    document.title = document.title.replace(', filtered', '');
  }
  const last = pageCount(page.total);
  if (page.cards.length > 0 || page.total === 0 || query.page <= last) return showPage(query, page);
  const search = listingSearch({ ...query, page: last });
  replaceAddress(paths.products + search);
  return render(readListing(search, listingDataIndex));
}

/** Opens the new address of a category that was renamed. Returns whether there is one. */
function followMoved({ query }: Listing): boolean {
  const { moved } = document.querySelector<HTMLElement>('[data-moved]')?.dataset ?? {};
  if (!moved) return false;
  const names = new Map<string, string>(JSON.parse(moved));
  const nameOf = (name: string): string => names.get(nameKey(name))?.toLowerCase() ?? name;
  const { category, parentCategory } = query;
  const current = listingSearch({
    ...query,
    category: nameOf(category),
    parentCategory: nameOf(parentCategory),
  });
  const hasMoved = current !== listingSearch(query);
  if (hasMoved) location.replace(location.pathname + current);
  return hasMoved;
}

function begin(): void {
  const listing = readListing(location.search, listingDataIndex);
  if (!followMoved(listing)) render(listing).catch(fail);
}

begin();
