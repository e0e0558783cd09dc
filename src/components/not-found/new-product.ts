/** The id in `/product/{id}`, or nothing. */
function productIdOf(pathname: string): string | undefined {
  try {
    return decodeURIComponent(/^\/product\/([^/]+)\/?$/.exec(pathname)?.[1] ?? '') || undefined;
  } catch {
    return undefined;
  }
}

const retitle = (name: string): void => {
  document.title = document.title.replace(/^[^|]*/, `${name} `);
};

/** Says what has become of it, in the title and to those who do not see it. */
function tell(slot: HTMLElement, outcome: string): void {
  retitle(outcome);
  slot.querySelector('[role=status]')?.replaceChildren(outcome);
}

function showMissing(slot: HTMLElement): void {
  tell(slot, 'Product Not Found');
  slot.querySelector('[data-product-waiting]')?.remove();
  slot.querySelector('[data-product-missing]')?.removeAttribute('hidden');
}

async function find(slot: HTMLElement, id: string | undefined): Promise<void> {
  const { showProduct } = await import('./show-product.ts');
  const name = id && (await showProduct(slot, id, slot.dataset.productSlot ?? ''));
  if (name) tell(slot, name);
  else showMissing(slot);
}

/** A product newer than the build: asks the API, and shows it as its own page would (resolutions 4). */
export function showNewProduct(): void {
  const slot = document.querySelector<HTMLElement>('[data-product-slot]');
  if (document.documentElement.dataset.notFound !== 'product' || !slot) return;
  find(slot, productIdOf(location.pathname)).catch(() => showMissing(slot));
}
