import { type ListingQuery, listingSearch } from '#domain/listing.ts';
import { isFiltered, knownFragmentsOfPage, readListing } from './address.ts';
import { drawGrid, GRID_KEY } from './grid.ts';

/*
 * Runs before the grid is parsed: a page with a query must not show what it was built with (resolutions 23). The
 * heading is right from the first paint, skeletons stand for the cards, and the file with them is on its way.
 */

const { query, heading, categoryHeading, file } = readListing(location.search, knownFragmentsOfPage());

const each = (selector: string, act: (element: HTMLElement) => void): void => {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) act(element);
};

/** Has the file with the cards fetched before the script that draws them is there. */
function preload(href: string): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'fetch';
  link.crossOrigin = 'anonymous';
  link.href = href;
  document.head.append(link);
}

/** By the page itself: the table of paths would weigh more than the rest of this. */
const addressOf = (filters: ListingQuery): string =>
  location.pathname + listingSearch({ ...filters, page: 1 });

/** The pills keep the other filters; each leads to its first page. */
function markPills(): void {
  each('[data-parent]', (pill) => {
    const parentCategory = pill.dataset.parent ?? '';
    const isCurrent = parentCategory.toLowerCase() === query.parentCategory.toLowerCase();
    pill.setAttribute('href', addressOf({ ...query, parentCategory }));
    if (isCurrent) pill.setAttribute('aria-current', 'true');
    else pill.removeAttribute('aria-current');
  });
}

/** A filter that no pill shows can be taken off by its chip. */
function showChip(name: 'featured' | 'category', text: string, without: ListingQuery): void {
  each(`[data-chip=${name}]`, (chip) => {
    chip.hidden = false;
    chip.setAttribute('href', addressOf(without));
    chip.querySelector('span')?.replaceChildren(text);
  });
}

/** As stores/storage.ts keeps it, without the weight of all that can. */
function storedColumns(): string | null {
  try {
    return sessionStorage.getItem(GRID_KEY) ?? localStorage.getItem(GRID_KEY);
  } catch {
    return null;
  }
}

drawGrid(storedColumns());
if (isFiltered(query)) {
  document.documentElement.classList.add('listing-loading');
  if (file !== undefined) preload(file);
  if (query.refined) each('[data-refine]', (button) => button.setAttribute('aria-current', 'true'));
  document.title = document.title.replace('All Products', heading);
  each('[data-listing-heading]', (element) => element.replaceChildren(heading));
  each('[data-listing-status]', (element) => element.replaceChildren());
  markPills();
  if (query.featured) showChip('featured', 'Featured', { ...query, featured: false });
  if (query.category) showChip('category', categoryHeading, { ...query, category: '' });
}
