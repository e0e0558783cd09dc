import { fetchFragment } from '#api/fragment.ts';
import { whenIdle } from '#stores/idle.ts';
import { knownFragmentsOfPage, readListing } from './address.ts';
import { showFailure, showPage } from './results.ts';

/** Fills the skeletons of a filtered page: from the build's files where there are any, else from the API. */

const { query, file } = readListing(location.search, knownFragmentsOfPage());

async function drawRefined(): Promise<void> {
  const { refinedPage } = await import('./refined.ts');
  const page = await refinedPage(query, knownFragmentsOfPage());
  if (page) showPage(query, page);
  else showFailure();
}

async function drawLive(): Promise<void> {
  const [{ fetchListing }, { liveListing }] = await Promise.all([
    import('#api/products.ts'),
    import('./live.ts'),
  ]);
  const live = liveListing(await fetchListing(query));
  if (live) showPage(query, live);
  else showFailure();
}

async function draw(): Promise<void> {
  if (query.refined) return drawRefined();
  const built = file === undefined ? undefined : await fetchFragment(file);
  if (built) {
    showPage(query, built);
    whenIdle(() => void import('./refresh.ts').then(({ refreshListing }) => refreshListing(query, built)));
  } else if (query.featured) showPage(query, { cards: [], total: 0 });
  else await drawLive();
}

draw().catch(showFailure);
