import { fetchListingData } from '#api/listing-data.ts';
import type { Card } from '#domain/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { listingDataPath } from '#domain/listing-data.ts';

const pages = new Map<number, ReturnType<typeof fetchListingData>>();

function pageAt(number: number): ReturnType<typeof fetchListingData> {
  const page = pages.get(number) ?? fetchListingData(listingDataPath('all', number));
  pages.set(number, page);
  // A failed page is fetched again the next time.
  void page.then((cards) => cards ?? pages.delete(number));
  return page;
}

/**
 * Returns the cards at these places of the whole catalogue, from 0. Fetches at most one small built file for each card,
 * however large the catalogue is. A card whose file cannot be fetched is undefined.
 */
export const cardsAt = (places: readonly number[]): Promise<(Card | undefined)[]> =>
  Promise.all(
    places.map(async (place) => {
      const page = await pageAt(Math.floor(place / PAGE_SIZE) + 1);
      return page?.cards[place % PAGE_SIZE];
    }),
  );
