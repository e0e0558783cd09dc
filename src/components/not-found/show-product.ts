import { fetchPublic } from '#api/client.ts';
import { fetchDocument } from '#api/document.ts';
import { productRequest } from '#api/requests.ts';
import { tendProduct } from '#components/product/buy.ts';
import { fillProduct } from '#components/product/detail.ts';
import { plainPicture } from '#domain/card.ts';
import { paths } from '#paths.ts';

/** Loaded only where a product is asked for that the build does not have: ky and valibot come with it. */

/** The markup of a product as another product's page has it, with the styles and templates that belong to it. */
function borrowProduct(page: Document): HTMLElement | null {
  const styles = new CSSStyleSheet();
  styles.replaceSync([...page.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  document.adoptedStyleSheets.push(styles);
  document.body.append(...page.querySelectorAll('template[data-template]'));
  return page.querySelector<HTMLElement>('[data-product]');
}

/**
 * Shows the product in the slot as its own page would, and returns its name; nothing where the API does not know it.
 * @param lender the id of a product that has a page
 */
export async function showProduct(
  slot: HTMLElement,
  id: string,
  lender: string,
): Promise<string | undefined> {
  const [result, page] = await Promise.all([
    fetchPublic(productRequest(id)),
    fetchDocument(paths.product(lender)),
  ]);
  const product = result.ok && page ? borrowProduct(page) : undefined;
  if (!result.ok || !product) return undefined;
  fillProduct(product, result.value, result.value.images.map(plainPicture));
  slot.querySelector('[data-product-waiting]')?.replaceWith(product);
  tendProduct(product);
  return result.value.name;
}
