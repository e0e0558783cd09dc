import type { ListingPage } from '#api/fragment.ts';
import { fetchListing, fetchLookup } from '#api/products.ts';
import { type Picture, plainPicture, toCard } from '#domain/card.ts';
import { type ListingQuery, parentCategories } from '#domain/listing.ts';

/** Loaded when the API is asked, not before: ky and valibot come with it. */

/** One API may be known by several hosts; its pictures differ by their paths. */
const keyOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '');

/** What the API says of the query; its pictures in the build's variants where `shown` has them. Nothing on failure. */
export async function liveListing(
  query: ListingQuery,
  shown?: ListingPage,
): Promise<ListingPage | undefined> {
  const result = await fetchListing(query);
  if (!result.ok) return undefined;
  const built = new Map((shown?.cards ?? []).map(({ image, picture }) => [keyOf(image), picture]));
  const pictureOf = (image: string): Picture | undefined =>
    image === '' ? undefined : (built.get(keyOf(image)) ?? plainPicture(image));
  const { products, total } = result.value;
  return { cards: products.map((product) => toCard(product, pictureOf(product.image))), total };
}

/** The parent categories of the API's first hundred products (spec 7). */
export async function liveParents(): Promise<string[]> {
  const result = await fetchLookup();
  return result.ok ? parentCategories(result.value.products) : [];
}
