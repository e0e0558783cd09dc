import { fetchFragment, type ListingPage } from '#api/fragment.ts';
import { type ListingQuery, listingSearch, PAGE_SIZE, pageCount } from '#domain/listing.ts';
import { paths } from '#paths.ts';
import { whenIdle } from '#stores/shell/idle.ts';
import { knownFragmentsOfPage, type Listing, readListing } from './address.ts';
import { showFailure, showPage } from './results.ts';

/** Fills the skeletons of a filtered page: from the build's files where there are any, else from the API. */

const known = knownFragmentsOfPage();

async function askLive(query: ListingQuery): Promise<ListingPage | undefined> {
  const [{ fetchPublic }, { listingRequest }, { liveListing }] = await Promise.all([
    import('#api/client.ts'),
    import('#api/requests.ts'),
    import('./live.ts'),
  ]);
  return liveListing(await fetchPublic(listingRequest(query)));
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

/** By the build's tables. What they do not know is none of the featured; else it is shown as the server sorts it. */
async function fromTables(query: ListingQuery): Promise<ListingPage | undefined> {
  const page = await (await import('./refined.ts')).refinedPage(query, known);
  if (page !== 'unknown') return page;
  if (query.featured) return { cards: [], total: 0 };
  location.replace(paths.products + listingSearch({ ...query, refined: undefined }));
  return new Promise(() => {});
}

async function find({ query, file, pages }: Listing): Promise<ListingPage | undefined> {
  // The wire has no filter for the featured: with another filter the build's tables tell them (resolutions 9).
  if (query.refined || (query.featured && file === undefined)) return fromTables(query);
  const built = file === undefined ? undefined : await builtPage(file, query);
  if (built || query.featured) return built;
  const live = await askLive(query);
  const isBeyond = !live?.cards.length && query.page > pages && pages > 0;
  // What the build has stands in for an answer that fails or is empty (resolutions 22a).
  return isBeyond ? { cards: [], total: live?.total || pages * PAGE_SIZE } : live;
}

/** Until the network is back, or Try Again is pressed (faults 18). */
function fail(): void {
  showFailure();
  addEventListener('online', begin, { once: true });
}

/** Past the last page stands the last page, under its own address: only a filter that fits nothing is empty. */
async function draw(listing: Listing): Promise<void> {
  const { query } = listing;
  const page = await find(listing);
  if (!page) return fail();
  const last = pageCount(page.total);
  if (page.cards.length > 0 || page.total === 0 || query.page <= last) return showPage(query, page);
  history.replaceState(history.state, '', paths.products + listingSearch({ ...query, page: last }));
  return draw(readListing(location.search, known));
}

function begin(): void {
  draw(readListing(location.search, known)).catch(fail);
}

begin();
