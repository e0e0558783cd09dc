import { fetchFragment, type ListingPage } from '#api/fragment.ts';
import { copyTemplate } from '#components/product/template.ts';
import { listingSearch } from '#domain/listing.ts';
import { fragmentPath } from '#domain/listing-fragment.ts';
import { paths } from '#paths.ts';
import { whenIdle } from '#stores/idle.ts';
import { isFiltered, knownFragmentsOfPage, readListing } from './address.ts';
import { showFailure, showPage, updatePage } from './results.ts';

const { query, file } = readListing(location.search, knownFragmentsOfPage());

function offerParents(names: readonly string[]): void {
  const pills = [...document.querySelectorAll<HTMLElement>('[data-parent]')];
  const known = new Set(pills.map(({ dataset }) => dataset.parent?.toLowerCase()));
  for (const parentCategory of names.filter((name) => !known.has(name.toLowerCase()))) {
    const item = copyTemplate('pill');
    const link = item.querySelector('a');
    if (!link) continue;
    link.dataset.parent = parentCategory;
    link.textContent = parentCategory;
    link.href = paths.products + listingSearch({ ...query, parentCategory, page: 1 });
    pills.at(-1)?.closest('ul')?.append(item);
  }
}

/** What the build knew may be old: asks the API for the same and updates what differs (resolutions 22). */
async function refresh(shown: ListingPage | undefined): Promise<void> {
  const { liveListing, liveParents } = await import('./live.ts');
  // The wire has no filter for the featured (resolutions 9).
  const fresh = shown && !query.featured ? await liveListing(query, shown) : undefined;
  if (shown && fresh) updatePage(query, shown, fresh);
  offerParents(await liveParents());
}

async function load(): Promise<void> {
  const built = file === undefined ? undefined : await fetchFragment(file);
  if (built) {
    showPage(query, built);
    whenIdle(() => void refresh(built));
    return;
  }
  if (query.featured) return showPage(query, { cards: [], total: 0 });
  const { liveListing } = await import('./live.ts');
  const live = await liveListing(query);
  if (live) showPage(query, live);
  else showFailure();
}

/** Fills the skeletons of a filtered page, or brings the page the build made up to date. */
if (isFiltered(query)) void load();
else void fetchFragment(fragmentPath('all', 1)).then(refresh);
