import { fetchFragment, type ListingPage } from '#api/fragment.ts';
import { type ListingQuery, listingSearch, PAGE_SIZE, pageCount } from '#domain/listing.ts';
import { paths } from '#paths.ts';
import { whenIdle } from '#stores/idle.ts';
import { knownFragmentsOfPage, type Listing, readListing } from './address.ts';
import { showFailure, showPage } from './results.ts';

/** Fills the skeletons of a filtered page: from the build's files where there are any, else from the API. */

const known = knownFragmentsOfPage();

async function askLive(query: ListingQuery): Promise<ListingPage | undefined> {
  const [{ fetchListing }, { liveListing }] = await Promise.all([
    import('#api/products.ts'),
    import('./live.ts'),
  ]);
  return liveListing(await fetchListing(query));
}

async function builtPage(file: string, query: ListingQuery): Promise<ListingPage | undefined> {
  const built = await fetchFragment(file);
  if (built)
    // It may be asked for before the part of the shell that looks after such failures is there.
    whenIdle(
      () =>
        void import('./refresh.ts').then(
          ({ refreshListing }) => refreshListing(query, built),
          () => {},
        ),
    );
  return built;
}

async function find({ query, file, pages }: Listing): Promise<ListingPage | undefined> {
  if (query.refined) return (await import('./refined.ts')).refinedPage(query, known);
  const built = file === undefined ? undefined : await builtPage(file, query);
  if (built) return built;
  const nothing = { cards: [], total: 0 };
  // The wire has no filter for the featured (resolutions 9).
  const live = query.featured ? nothing : await askLive(query);
  const isBeyond = !live?.cards.length && query.page > pages && pages > 0;
  // What the build has stands in for an answer that fails or is empty (resolutions 22a).
  return isBeyond ? { cards: [], total: live?.total || pages * PAGE_SIZE } : live;
}

/** Past the last page stands the last page, under its own address: only a filter that fits nothing is empty. */
async function draw(listing: Listing): Promise<void> {
  const { query } = listing;
  const page = await find(listing);
  if (!page) return showFailure();
  const last = pageCount(page.total);
  if (page.cards.length > 0 || page.total === 0 || query.page <= last) return showPage(query, page);
  history.replaceState(history.state, '', paths.products + listingSearch({ ...query, page: last }));
  return draw(readListing(location.search, known));
}

draw(readListing(location.search, known)).catch(showFailure);
