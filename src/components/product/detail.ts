import { element } from '#components/markup.ts';
import { specifications } from '#domain/attributes.ts';
import { availabilityOf, availabilityText, isBuyable } from '#domain/buying/availability.ts';
import { toCard } from '#domain/card.ts';
import type { Picture } from '#domain/picture.ts';
import { isOnSale, type Product, sizeHeading } from '#domain/product.ts';
import { productTexts } from '#domain/product-texts.ts';
import { tintClass } from '#domain/tint.ts';
import { galleryMarkup } from './gallery.ts';
import { optionsMarkup, specMarkup } from './options.ts';
import { priceMarkup } from './price.ts';

const setText = (part: Element | null, text: string): void => {
  if (part && part.textContent !== text) part.textContent = text;
};

/** Preserves the choice if it still exists. */
function updateOptions(form: Element, name: 'size' | 'color', heading: string, product: Product): void {
  const fieldset = form.querySelector<HTMLElement>(`[data-options=${name}]`);
  if (!fieldset) return;
  const inputs = [...fieldset.querySelectorAll('input')];
  const chosen = inputs.find(({ checked }) => checked)?.value;
  const fresh = optionsMarkup(element, name, product, chosen);
  const shown = fieldset.querySelector('ul');
  fieldset.hidden = fresh.childElementCount === 0;
  setText(fieldset.querySelector('legend'), heading);
  if (shown?.textContent !== fresh.textContent) shown?.replaceWith(fresh);
}

function fillTexts(root: Element, product: Product): void {
  const texts = productTexts(product);
  const rows = specifications(product.attributes);
  for (const part of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[part.dataset.text ?? ''] ?? '';
    setText(part, text);
    (part.closest('[data-part]') ?? part).toggleAttribute('hidden', text === '');
  }
  root.querySelector('.specs dl')?.replaceChildren(...rows.map((row) => specMarkup(element, row)));
  root.querySelector('.product-specs')?.toggleAttribute('hidden', rows.length === 0);
}

/** Search engines that run scripts must not read what the page no longer shows. */
const removeStructuredData = (): void =>
  document.querySelector('script[type="application/ld+json"]')?.remove();

/** Updates everything that may have changed since the build, and preserves the shopper's choices. */
export function updateProduct(root: HTMLElement, product: Product): void {
  removeStructuredData();
  root.dataset.product = JSON.stringify(toCard(product));
  fillTexts(root, product);
  for (const price of root.querySelectorAll('.price'))
    price.replaceWith(priceMarkup(element, product, price.className));
  root.querySelector('.gallery .sale-badge')?.toggleAttribute('hidden', !isOnSale(product));
  const form = root.querySelector('form');
  if (!form) return;
  updateOptions(form, 'size', sizeHeading(product), product);
  updateOptions(form, 'color', 'Colour', product);
  showState(root, product);
}

export function fillProduct(root: HTMLElement, product: Product, pictures: readonly Picture[]): void {
  updateProduct(root, product);
  const gallery = { name: product.name, tint: tintClass(product), pictures, onSale: isOnSale(product) };
  root.querySelector('.gallery')?.replaceWith(galleryMarkup(element, gallery));
}

/** Says whether the product can be bought, and switches its buttons. Screen readers announce a change. */
function showState(root: Element, product: Product | 'discontinued'): void {
  const now = Date.now();
  const availability = availabilityOf(product, now);
  const state = root.querySelector<HTMLElement>('.product-state');
  if (state) state.dataset.state = availability;
  setText(state, availability === 'unpriced' ? '' : availabilityText(product, now));
  for (const button of root.querySelectorAll('.buy-add, .buy-bar .btn')) {
    if (isBuyable(availability)) button.removeAttribute('aria-disabled');
    else button.setAttribute('aria-disabled', 'true');
  }
}

export function showDiscontinued(root: Element): void {
  showState(root, 'discontinued');
  removeStructuredData();
}
