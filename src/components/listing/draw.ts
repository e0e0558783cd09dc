import { fetchFragment } from '#api/fragment.ts';
import { whenIdle } from '#stores/idle.ts';
import { knownFragmentsOfPage, readListing } from './address.ts';
import { showFailure, showPage } from './results.ts';

/** Fills the skeletons of a filtered page: from the build's file where there is one, else from the API. */

const { query, file } = readListing(location.search, knownFragmentsOfPage());

async function draw(): Promise<void> {
  const built = file === undefined ? undefined : await fetchFragment(file);
  if (built) {
    showPage(query, built);
    whenIdle(() => void import('./refresh.ts').then(({ refreshListing }) => refreshListing(query, built)));
  } else if (query.featured) showPage(query, { cards: [], total: 0 });
  else {
    const { liveListing } = await import('./live.ts');
    const live = await liveListing(query);
    if (live) showPage(query, live);
    else showFailure();
  }
}

void draw();
