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

/** Fetches a product that is newer than the build, and shows it like a built product page. */
async function show(slot: HTMLElement, address: string): Promise<void> {
  const [{ openAddress }] = await Promise.all([import('./show-product.ts'), import('#api/ky.ts')]);
  const name = await openAddress(slot, address);
  if (name) announce(slot, name);
  else if (name === '') showMissing(slot);
}

/** Also looks at addresses with signs that no address of the shop has. */
export function showNewProduct(): void {
  const slot = document.querySelector<HTMLElement>('[data-product-slot]');
  const isProduct = document.documentElement.dataset.notFound === 'product';
  const address: string = history.state?.notFound ?? location.pathname + location.search + location.hash;
  if (slot && (isProduct || !/^[\w/-]*([?#]|$)/.test(address) || address.startsWith('//')))
    show(slot, address).catch(() => isProduct && showMissing(slot));
}
