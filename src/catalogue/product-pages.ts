import { soldOutText } from '#domain/card.ts';
import { type Picture, type Tile, thumbOf } from '#domain/picture.ts';
import type { Product } from '#domain/product.ts';
import { relatedBy } from '#domain/related.ts';
import { tintClass } from '#domain/tint.ts';
import { catalogue, shopDigest } from './catalogue.ts';
import { digest } from './digest.ts';
import { pictureOf } from './images/picture-of.ts';

/** A type, because Astro's props need an index signature, which interfaces lack. */
export type ProductPageProps = {
  readonly product: Product;
  /** The pictures of `product.images`, in the same order. */
  readonly pictures: readonly Picture[];
  readonly related: readonly Tile[];
};

async function tileOf(product: Product): Promise<Tile> {
  const { id, name, price } = product;
  const thumb = thumbOf(await pictureOf(product.image));
  const soldOut = soldOutText(product);
  return { id, name, price, tint: tintClass(product), ...(soldOut && { soldOut }), ...(thumb && { thumb }) };
}

/** For `getStaticPaths`. Encodes every picture of the catalogue. */
export async function productPages() {
  const { store, products } = await catalogue();
  const shared = shopDigest(store);
  const related = relatedBy(products);
  const tiles = new Map(
    await Promise.all(products.map(async (product) => [product, await tileOf(product)] as const)),
  );
  return Promise.all(
    products.map(async (product) => {
      const pictures = (await Promise.all(product.images.map(pictureOf))).filter(
        (picture) => picture !== undefined,
      );
      const props: ProductPageProps = {
        product,
        pictures,
        related: related(product).flatMap((other) => tiles.get(other) ?? []),
      };
      // Astro reuses a page while its cacheKey is unchanged, so the key must cover everything on the page.
      const key = digest([shared, props, soldOutText(product)]);
      return { params: { id: product.id }, props, cacheKey: key };
    }),
  );
}
