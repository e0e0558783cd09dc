import { element } from '#components/markup.ts';
import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import type { Picture } from '#domain/picture.ts';
import { isOnSale, isPriced, type Product, sizeHeading } from '#domain/product.ts';
import { productTexts } from '#domain/product-texts.ts';
import { tintClass } from '#domain/tint.ts';
import { galleryMarkup } from './gallery.ts';
import { optionsMarkup, specMarkup } from './options.ts';
import { priceMarkup } from './price.ts';

const setText = (part: Element | null, text: string): void => {
  if (part && part.textContent !== text) part.textContent = text;
};

/** Preserves the choice if it still exists. */
function updateOptions(
  form: Element,
  name: 'size' | 'color',
  heading: string,
  values: readonly string[],
): void {
  const fieldset = form.querySelector<HTMLElement>(`[data-options=${name}]`);
  if (!fieldset) return;
  const inputs = [...fieldset.querySelectorAll('input')];
  const chosen = inputs.find(({ checked }) => checked)?.value;
  fieldset.hidden = values.length === 0;
  setText(fieldset.querySelector('legend'), heading);
  if (JSON.stringify(inputs.map(({ value }) => value)) === JSON.stringify(values)) return;
  fieldset.querySelector('ul')?.replaceWith(optionsMarkup(element, name, values, chosen));
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
  updateOptions(form, 'size', sizeHeading(product), product.sizes);
  updateOptions(form, 'color', 'Colour', product.colors);
  allowBuying(root, isPriced(product));
}

export function fillProduct(root: HTMLElement, product: Product, pictures: readonly Picture[]): void {
  updateProduct(root, product);
  const gallery = { name: product.name, tint: tintClass(product), pictures, onSale: isOnSale(product) };
  root.querySelector('.gallery')?.replaceWith(galleryMarkup(element, gallery));
}

function allowBuying(root: Element, allowed: boolean): void {
  for (const button of root.querySelectorAll('button[type=submit]')) {
    if (allowed) button.removeAttribute('aria-disabled');
    else button.setAttribute('aria-disabled', 'true');
  }
}

export function showDiscontinued(root: Element): void {
  setText(root.querySelector('.product-discontinued'), 'This product is no longer available.');
  allowBuying(root, false);
  removeStructuredData();
}
