import { fetchPublic } from '#api/client.ts';
import { fetchDocument } from '#api/document.ts';
import { productRequest } from '#api/requests.ts';
import { enhanceProduct } from '#components/product/buy.ts';
import { fillProduct } from '#components/product/detail.ts';
import { plainPicture } from '#domain/picture.ts';
import { paths } from '#paths.ts';

/** Loaded only for a product that the build does not have, because it brings the API's client and valibot. */

/** Takes the product's markup out of another product's page, with the styles and templates that belong to it. */
function takeMarkup(page: Document): HTMLElement | null {
  const styles = new CSSStyleSheet();
  styles.replaceSync([...page.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  document.adoptedStyleSheets.push(styles);
  document.body.append(...page.querySelectorAll('template[data-template]'));
  return page.querySelector<HTMLElement>('[data-product]');
}

/**
 * Shows the product in the slot as its own page would. Returns its name, or undefined if the API does not know it.
 * @param builtId the id of a product that has a built page
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
