import { fetchFragment } from '#api/fragment.ts';
import type { Card } from '#domain/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { fragmentPath } from '#domain/listing-fragment.ts';

const pages = new Map<number, ReturnType<typeof fetchFragment>>();

function pageAt(number: number): ReturnType<typeof fetchFragment> {
  const page = pages.get(number) ?? fetchFragment(fragmentPath('all', number));
  pages.set(number, page);
  // What failed is asked for again the next time.
  void page.then((found) => found ?? pages.delete(number));
  return page;
}

/**
 * The cards at these places of the whole catalogue, out of the files of its pages: a page of them costs at most as many
 * small files as it has cards, in any catalogue. Nothing stands where a file cannot be had.
 */
export const cardsAt = (places: readonly number[]): Promise<(Card | undefined)[]> =>
  Promise.all(
    places.map(async (place) => {
      const page = await pageAt(Math.floor(place / PAGE_SIZE) + 1);
      return page?.cards[place % PAGE_SIZE];
    }),
  );
