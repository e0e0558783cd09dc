import type { Result } from '#api/failure.ts';
import type { ListingPage } from '#api/fragment.ts';
import type { ProductPage } from '#api/schema/product.ts';
import { type Picture, plainPicture, toCard } from '#domain/card.ts';
import { tintWords } from '#site.ts';

/** One API may be known by several hosts; its pictures differ by their paths. */
const keyOf = (address: string): string => address.replace(/^https?:\/\/[^/]*/, '');

/** What the API says of a query; its pictures in the build's variants where `shown` has them. Nothing on failure. */
export function liveListing(result: Result<ProductPage>, shown?: ListingPage): ListingPage | undefined {
  if (!result.ok) return undefined;
  const built = new Map((shown?.cards ?? []).map(({ image, picture }) => [keyOf(image), picture]));
  const pictureOf = (image: string): Picture | undefined =>
    image === '' ? undefined : (built.get(keyOf(image)) ?? plainPicture(image));
  const { products, total } = result.value;
  return { cards: products.map((product) => toCard(product, pictureOf(product.image), tintWords)), total };
}
