import { OWN } from '#domain/json.ts';
import { type ListingQuery, listingSearch } from '#domain/listing.ts';
import { nameKey } from '#domain/product.ts';
import { isFiltered, readListing, readPageListingDataIndex } from './address.ts';
import { GRID_KEY, renderGrid } from './grid.ts';

/*
 * Runs before the grid is parsed, because a filtered page must not show the built listing. Sets the heading before the
 * first paint, turns the cards into skeletons and preloads the file with the right cards.
 */

const { query, heading, categoryHeading, file, pages } = readListing(
  location.search,
  readPageListingDataIndex(),
);

const forEachElement = (selector: string, act: (element: HTMLElement) => void): void => {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) act(element);
};

const addLink = (attributes: Partial<HTMLLinkElement>): void =>
  document.head.append(Object.assign(document.createElement('link'), attributes));

/** Uses the page's own path, because importing paths.ts would more than double this inline script. */
const addressOf = (filters: ListingQuery): string =>
  location.pathname + listingSearch({ ...filters, page: 1 });

/** Each pill preserves the other filters and links to the first page. */
function markPills(): void {
  forEachElement('[data-parent]', (pill) => {
    const parentCategory = pill.dataset.parent ?? '';
    const isCurrent = nameKey(parentCategory) === nameKey(query.parentCategory);
    pill.setAttribute('href', addressOf({ ...query, parentCategory }));
    if (isCurrent) pill.setAttribute('aria-current', 'true');
    else pill.removeAttribute('aria-current');
  });
}

function markMenu(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-menu] a')];
  const categoryOf = ({ search }: HTMLAnchorElement): string =>
    nameKey(new URLSearchParams(search).get('category') ?? '');
  const own = links.find((link) => categoryOf(link) === nameKey(query.category));
  if (!own) return;
  for (const link of links) link.removeAttribute('aria-current');
  own.setAttribute('aria-current', 'page');
}

function showChip(name: 'featured' | 'category', text: string, without: ListingQuery): void {
  forEachElement(`[data-chip=${name}]`, (chip) => {
    chip.hidden = false;
    chip.setAttribute('href', addressOf(without));
    chip.querySelector('span')?.replaceChildren(text);
  });
}

/** Does not import stores/shell/storage.ts, which is too large for this inline script. */
function storedColumns(): string | null {
  try {
    const name = OWN + GRID_KEY;
    return sessionStorage.getItem(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Each list has an address and a title of its own. A sorted or filtered one is the same list for search engines. */
function nameList(): void {
  const { category, parentCategory, refined } = query;
  // Beyond the last page, the last one is shown.
  const page = refined ? 1 : Math.min(query.page, pages || query.page);
  const own = listingSearch({
    ...query,
    category: category.toLowerCase(),
    parentCategory: parentCategory && heading,
    page,
    refined: undefined,
  });
  forEachElement('[data-address]', ({ dataset }) =>
    addLink({ rel: 'canonical', href: dataset.address + own }),
  );
  const suffix = refined ? ', filtered' : page > 1 ? `, page ${page}` : '';
  document.title = document.title.replace('All Products', heading + suffix);
}

renderGrid(storedColumns());
nameList();
if (isFiltered(query)) {
  document.documentElement.classList.add('listing-loading');
  // Before the script that renders the cards has loaded.
  if (file !== undefined) addLink({ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: file });
  if (query.refined) forEachElement('[data-refine]', (button) => button.setAttribute('aria-current', 'true'));
  forEachElement('[data-listing-heading]', (element) => element.replaceChildren(heading));
  forEachElement('[data-listing-status]', (element) => element.replaceChildren());
  markPills();
  markMenu();
  if (query.featured) showChip('featured', 'Featured', { ...query, featured: false });
  if (query.category) showChip('category', categoryHeading, { ...query, category: '' });
}
