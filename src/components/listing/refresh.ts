import { fetchInBackground } from '#api/background.ts';
import type { Result } from '#api/failure.ts';
import { fetchListingData, type ListingPage } from '#api/listing-data.ts';
import { listingRequest, productPageRequest } from '#api/requests.ts';
import type { ProductPage } from '#api/schema/product.ts';
import { element } from '#components/markup.ts';
import { toCard } from '#domain/card.ts';
import { type ListingQuery, parentFilters, parseListingQuery } from '#domain/listing.ts';
import { listingDataPath } from '#domain/listing-data.ts';
import { withPlainPicture } from '#domain/picture.ts';
import { pillMarkup } from './pill.ts';

/* Loaded once the page is idle. The rendering code is imported only if something has changed. */

/** Compares pictures by path, because one API may have several host names. */
const keyOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '');

/** Returns the API's listing with the built picture variants from `shown`, or undefined on failure. */
export function liveListing(result: Result<ProductPage>, shown?: ListingPage): ListingPage | undefined {
  if (!result.ok) return undefined;
  const built = new Map((shown?.cards ?? []).map(({ image, picture }) => [keyOf(image), picture]));
  const { products, total } = result.value;
  const cards = products.map((product) => {
    const picture = built.get(keyOf(product.image));
    return picture ? toCard(product, picture) : withPlainPicture(toCard(product));
  });
  return { cards, total };
}

/** Adds pills for new parent categories, within the build's limit. */
function addParentPills(query: ListingQuery, products: Parameters<typeof parentFilters>[0]): void {
  const pills = [...document.querySelectorAll<HTMLElement>('[data-parent]')];
  const shown = pills.map(({ dataset }) => ({ parentCategory: dataset.parent ?? '' }));
  const added = parentFilters([...shown, ...products]).slice(parentFilters(shown).length);
  pills
    .at(-1)
    ?.closest('ul')
    ?.append(...added.map((parentCategory) => pillMarkup(element, query, parentCategory)));
}

const isSame = (shown: ListingPage, fresh: ListingPage): boolean =>
  shown.total === fresh.total && JSON.stringify(shown.cards) === JSON.stringify(fresh.cards);

export async function refreshListing(query: ListingQuery, shown: ListingPage): Promise<void> {
  // The API cannot filter by featured.
  const fresh = query.featured
    ? undefined
    : liveListing(await fetchInBackground(listingRequest(query)), shown);
  // An empty response does not replace the shown cards.
  if (fresh && fresh.cards.length > 0 && !isSame(shown, fresh)) {
    const { updatePage } = await import('./results.ts');
    updatePage(query, shown, fresh);
  }
  // New parent categories are searched in the API's first hundred products.
  const lookup = await fetchInBackground(productPageRequest(1));
  if (lookup.ok) addParentPills(query, lookup.value.products);
}

/** Refreshes the unfiltered first page, which the build made. */
export async function refreshFirstPage(): Promise<void> {
  const shown = await fetchListingData(listingDataPath('all', 1));
  if (shown) await refreshListing(parseListingQuery(new URLSearchParams()), shown);
}
