import type { Result } from '#api/failure.ts';
import type { ListingPage } from '#api/listing-data.ts';
import type { ProductPage } from '#api/schema/product.ts';
import { toCard } from '#domain/card.ts';
import { type Picture, plainPicture } from '#domain/picture.ts';

/** Compares pictures by path, because one API may have several host names. */
const keyOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '');

/** Returns the API's listing with the built picture variants from `shown`, or undefined on failure. */
export function liveListing(result: Result<ProductPage>, shown?: ListingPage): ListingPage | undefined {
  if (!result.ok) return undefined;
  const built = new Map((shown?.cards ?? []).map(({ image, picture }) => [keyOf(image), picture]));
  const pictureOf = (image: string): Picture | undefined =>
    image === '' ? undefined : (built.get(keyOf(image)) ?? plainPicture(image));
  const { products, total } = result.value;
  return { cards: products.map((product) => toCard(product, pictureOf(product.image))), total };
}
