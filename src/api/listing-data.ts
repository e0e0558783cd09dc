import type { Card } from '#domain/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { listingDataPath } from '#domain/listing-data.ts';

export interface ListingPage {
  readonly cards: readonly Card[];
  readonly total: number;
}

const TIMEOUT_MS = 10_000;

/* Checked without valibot, because the listing needs the file before any library has loaded. */
const has = <Key extends string>(value: unknown, ...keys: Key[]): value is Record<Key, unknown> =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value);

const isCard = (value: unknown): value is Card => has(value, 'id', 'name', 'price', 'sizes', 'colors');

const isPage = (value: unknown): value is ListingPage =>
  has(value, 'cards', 'total') &&
  Array.isArray(value.cards) &&
  value.cards.every(isCard) &&
  typeof value.total === 'number';

/** Fetches a file of the build. Resolves to undefined if it is missing or invalid. */
export async function fetchBuilt<Content>(
  path: string,
  isValid: (value: unknown) => value is Content,
): Promise<Content | undefined> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const content: unknown = await response.json();
    return isValid(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

export const fetchListingData = (path: string): Promise<ListingPage | undefined> => fetchBuilt(path, isPage);

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
