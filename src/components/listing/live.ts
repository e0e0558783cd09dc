import type { Result } from '#api/failure.ts';
import type { ListingPage } from '#api/listing-data.ts';
import type { ProductPage } from '#api/schema/product.ts';
import { toCard } from '#domain/card.ts';
import { type Picture, plainPicture } from '#domain/picture.ts';
import { tintWords } from '#domain/tint.ts';

/** Pictures are compared by their paths, because one API may have several host names. */
const keyOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '');

/** The listing in a response of the API, with the built variants of pictures in `shown`; undefined on failure. */
export function liveListing(result: Result<ProductPage>, shown?: ListingPage): ListingPage | undefined {
  if (!result.ok) return undefined;
  const built = new Map((shown?.cards ?? []).map(({ image, picture }) => [keyOf(image), picture]));
  const pictureOf = (image: string): Picture | undefined =>
    image === '' ? undefined : (built.get(keyOf(image)) ?? plainPicture(image));
  const { products, total } = result.value;
  return { cards: products.map((product) => toCard(product, pictureOf(product.image), tintWords)), total };
}
