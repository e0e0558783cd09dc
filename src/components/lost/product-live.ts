import { fetchProduct } from '#api/products.ts';
import { fillProduct } from '#components/product/detail.ts';
import { copyTemplate } from '#components/product/template.ts';
import { plainPicture } from '#domain/card.ts';

/** Loaded only where a product is asked for that the build does not have: ky and valibot come with it. */

/** The product as its own page would show it, where the API knows it. */
export async function liveProduct(id: string): Promise<HTMLElement | undefined> {
  const result = await fetchProduct(id);
  if (!result.ok) return undefined;
  const product = copyTemplate('product');
  fillProduct(product, result.value, result.value.images.map(plainPicture));
  return product;
}
