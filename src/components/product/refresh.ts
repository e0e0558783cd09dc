import { fetchInBackground } from '#api/background.ts';
import { productRequest } from '#api/requests.ts';
import { fingerprint } from '#domain/product.ts';
import { cardOf } from './buy.ts';

/* Loaded once the page is idle, because it imports valibot. The rendering code is imported only if something changed. */

const NOT_FOUND = 404;

export async function refreshProduct(element: HTMLElement): Promise<void> {
  const { id } = cardOf(element);
  const result = await fetchInBackground(productRequest(id));
  if (result.ok) {
    const product = result.value;
    if (fingerprint(product) === element.dataset.print) return;
    const { updateProduct } = await import('./detail.ts');
    updateProduct(element, product);
  } else if (result.failure.kind === 'refused' && result.failure.status === NOT_FOUND) {
    const { showDiscontinued } = await import('./detail.ts');
    showDiscontinued(element);
  }
}
