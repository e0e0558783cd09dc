import { fetchInBackground } from '#api/background.ts';
import { isNotFound } from '#api/failure.ts';
import { productRequest } from '#api/requests.ts';
import { fingerprint } from '#domain/product.ts';
import { cardOf } from './buy.ts';

/* Loaded once the page is idle, because it imports valibot. The rendering code is imported only if something changed. */

export async function refreshProduct(element: HTMLElement): Promise<void> {
  const { id } = cardOf(element);
  const result = await fetchInBackground(productRequest(id));
  if (result.ok) {
    const product = result.value;
    if (fingerprint(product) === element.dataset.print) return;
    const { updateProduct } = await import('./detail.ts');
    updateProduct(element, product);
  } else if (isNotFound(result.failure)) {
    const { showDiscontinued } = await import('./detail.ts');
    showDiscontinued(element);
  }
}
