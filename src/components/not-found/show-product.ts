import { fetchPublic } from '#api/client.ts';
import { fetchDocument } from '#api/document.ts';
import { productRequest } from '#api/requests.ts';
import { enhanceProduct } from '#components/product/buy.ts';
import { fillProduct } from '#components/product/detail.ts';
import { addStyles } from '#components/shell/styles.ts';
import { plainPicture } from '#domain/picture.ts';
import { paths } from '#paths.ts';

/* Loaded only for a product that the build does not have, because it imports the API client and valibot. */

/** Takes the product's markup, styles and templates out of another product's page. */
function takeMarkup(page: Document): HTMLElement | null {
  addStyles([...page.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  document.body.append(...page.querySelectorAll('template[data-template]'));
  return page.querySelector<HTMLElement>('[data-product]');
}

/**
 * Shows the product like a built product page. Returns its name, or undefined if the API does not have it.
 * @param builtId the id of any product with a built page
 */
export async function showProduct(
  slot: HTMLElement,
  id: string,
  builtId: string,
): Promise<string | undefined> {
  const [result, page] = await Promise.all([
    fetchPublic(productRequest(id)),
    fetchDocument(paths.product(builtId)),
  ]);
  const product = result.ok && page ? takeMarkup(page) : undefined;
  if (!result.ok || !product) return undefined;
  fillProduct(product, result.value, result.value.images.map(plainPicture));
  slot.querySelector('[data-product-waiting]')?.replaceWith(product);
  enhanceProduct(product);
  return result.value.name;
}
