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

function announce(slot: HTMLElement, outcome: string): void {
  retitle(outcome);
  slot.querySelector('[role=status]')?.replaceChildren(outcome);
}

function showMissing(slot: HTMLElement): void {
  announce(slot, 'Product Not Found');
  slot.querySelector('[data-product-waiting]')?.remove();
  slot.querySelector('[data-product-missing]')?.removeAttribute('hidden');
}

async function show(slot: HTMLElement, id: string | undefined): Promise<void> {
  const [{ showProduct }] = await Promise.all([import('./show-product.ts'), import('#api/ky.ts')]);
  const name = id && (await showProduct(slot, id, slot.dataset.productSlot ?? ''));
  const lower = location.pathname.toLowerCase();
  if (name) announce(slot, name);
  else if (location.pathname !== lower) location.replace(lower + location.search);
  else showMissing(slot);
}

/** Fetches a product that is newer than the build, and shows it like a built product page. */
export function showNewProduct(): void {
  const slot = document.querySelector<HTMLElement>('[data-product-slot]');
  if (document.documentElement.dataset.notFound !== 'product' || !slot) return;
  show(slot, productIdOf(location.pathname)).catch(() => showMissing(slot));
}
