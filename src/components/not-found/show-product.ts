import { fetchPublic } from '#api/client.ts';
import { fetchDocument } from '#api/document.ts';
import { productRequest } from '#api/requests.ts';
import { addStyles } from '#components/markup.ts';
import { enhanceProduct } from '#components/product/buy.ts';
import { fillProduct } from '#components/product/detail.ts';
import { plainPicture } from '#domain/picture.ts';
import { tidyText } from '#domain/text.ts';
import { withoutEndSlashes } from '#domain/url.ts';
import { paths } from '#paths.ts';
import { withoutTail } from '#stores/shell/address.ts';

/* Loaded only for a product that the build does not have, because it imports the API client and valibot. */

/** Takes the product's markup and styles out of another product's page. */
function takeMarkup(page: Document): HTMLElement | null {
  addStyles([...page.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  return page.querySelector<HTMLElement>('[data-product]');
}

/** Shows the product like a built product page. Returns its name, or '' if the API does not have it. */
async function showProduct(slot: HTMLElement, id: string): Promise<string> {
  const [result, page] = await Promise.all([
    fetchPublic(productRequest(id)),
    fetchDocument(paths.product(slot.dataset.productSlot ?? '')),
  ]);
  const product = result.ok && page ? takeMarkup(page) : undefined;
  if (!result.ok || !product) return '';
  fillProduct(product, result.value, result.value.images.map(plainPicture));
  slot.querySelector('[data-product-waiting]')?.replaceWith(product);
  enhanceProduct(product);
  return result.value.name;
}

/** The path as people read it. Some programs encode it twice, or cut it within a sign. */
function decodePath(path: string): string {
  try {
    return withoutEndSlashes(decodeURIComponent(path.replaceAll('%25', '%')));
  } catch {
    return path;
  }
}

/** Removes what a sentence or a chat leaves around a path, and what programs append without a `?`. */
const tidyPath = (path: string): string =>
  withoutTail(tidyText(path).replace(/[&?#=].*/s, '')).replace(/^\/+[^/]*/, (first) =>
    first.toLowerCase().replace(/^\/+/, '/'),
  );

/**
 * Opens the address that was meant, or shows its product. Returns the product's name, '' if there is none, or undefined
 * if the page is left or its address is no product's.
 */
export async function openAddress(slot: HTMLElement, address: string): Promise<string | undefined> {
  const [, raw = '', rest = ''] = /^([^?#]*)(.*)/.exec(address) ?? [];
  const path = decodePath(raw);
  const tidied = tidyPath(path);
  const id = /^\/product\/([^/]+)\/?$/.exec(raw)?.[1];
  const name = tidied === path && id ? await showProduct(slot, decodeURIComponent(id)) : undefined;
  if (name) return name;
  const meant = id && tidied === path ? path.toLowerCase() : tidied;
  if (meant === path) return name;
  location.replace(location.origin + encodeURI(meant) + rest);
  return undefined;
}
