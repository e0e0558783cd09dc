import { fetchProduct } from '#api/products.ts';
import { type Picture, plainPicture } from '#domain/card.ts';
import { allowBuying, updateProduct } from './detail.ts';
import { cardOf } from './product-card.ts';

/** Loaded when the API is asked, not before: ky and valibot come with it. */

const NOT_FOUND = 404;

/** What the build knew may be old: asks the API for the same and updates it in place (resolutions 22). */
export async function refreshProduct(product: HTMLElement): Promise<void> {
  const { id, picture } = cardOf(product);
  const result = await fetchProduct(id);
  if (result.ok) {
    const built: Picture | undefined = result.value.image ? plainPicture(result.value.image) : undefined;
    updateProduct(product, result.value, picture ?? built);
  } else if (result.failure.kind === 'refused' && result.failure.status === NOT_FOUND) {
    product.querySelector('.product-gone')?.replaceChildren('This product is no longer available.');
    allowBuying(product, false);
  }
}
