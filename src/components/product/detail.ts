import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import { type Fields, fieldsOf, parseJson } from '#domain/json.ts';
import type { Picture } from '#domain/picture.ts';
import { isOnSale, isPriced, type Product, sizeHeading } from '#domain/product.ts';
import { productTexts } from '#domain/product-texts.ts';
import { tintClass } from '#domain/tint.ts';
import { fillPrice } from './card.ts';
import { noPicture } from './no-picture.ts';
import { fillImage, type Priority, pictureText, type Slot } from './picture.ts';

/** Fills the list with a copy of its first element for each item. Without items, the element stays as the template. */
function repeat<Item>(
  list: Element | null,
  items: readonly Item[],
  fill: (element: Element, item: Item, index: number) => void,
): void {
  const template = list?.firstElementChild;
  if (!list || !template) return;
  const elements = items.map((item, index) => {
    const element = template.cloneNode(true);
    if (element instanceof Element) fill(element, item, index);
    return element;
  });
  list.replaceChildren(...(elements.length > 0 ? elements : [template]));
}

const setText = (element: Element | null | undefined, text: string): void => {
  if (element && element.textContent !== text) element.textContent = text;
};

/** Preserves the choice if it still exists. A single option is chosen automatically. */
function fillOptions(
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
  repeat(fieldset.querySelector('ul'), values, (element, value) => {
    const input = element.querySelector('input');
    if (!input) return;
    input.value = value;
    input.checked = values.length === 1 || value === chosen;
    element.querySelector('label')?.replaceChildren(input, value);
  });
}

function fillPicture(element: Element, picture: Picture, slot: Slot, priority: Priority): HTMLImageElement {
  const image = element.querySelector('img') ?? document.createElement('img');
  element.querySelector('.panel-placeholder')?.remove();
  image.hidden = false;
  fillImage(image, picture, slot, priority);
  if (!image.parentNode) (element.querySelector('a') ?? element).append(image);
  return image;
}

function setTint(panel: Element, tint: string): void {
  for (const name of [...panel.classList]) if (name.startsWith('tint-')) panel.classList.remove(name);
  panel.classList.add(tint);
}

function fillGallery(root: Element, name: string, tint: string, pictures: readonly Picture[]): void {
  const strip = root.querySelector('.gallery-strip');
  const thumbs = root.querySelector<HTMLElement>('.gallery-thumbs');
  for (const panel of root.querySelectorAll('.panel')) setTint(panel, tint);
  repeat(strip, pictures, (element, picture, index) => {
    element.id = `picture-${index + 1}`;
    const image = fillPicture(element, picture, 'product', index === 0 ? 'high' : 'lazy');
    image.alt = pictureText(name, index, pictures.length);
  });
  if (pictures.length === 0) strip?.firstElementChild?.replaceChildren(noPicture());
  root.querySelector('[data-zoom]')?.toggleAttribute('hidden', pictures.length === 0);
  if (pictures.length > 1) strip?.setAttribute('tabindex', '0');
  else strip?.removeAttribute('tabindex');
  if (!thumbs) return;
  thumbs.hidden = pictures.length < 2;
  repeat(thumbs, pictures, (element, picture, index) => {
    element.querySelector('a')?.setAttribute('href', `#picture-${index + 1}`);
    setText(element.querySelector('.sr-only'), `Picture ${index + 1}`);
    if (pictures.length > 1) fillPicture(element, picture, 'thumb', 'lazy').alt = '';
  });
}

function fillTexts(root: Element, product: Product): void {
  const texts = productTexts(product);
  const rows = specifications(product.attributes);
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset.text ?? ''] ?? '';
    setText(element, text);
    (element.closest('[data-part]') ?? element).toggleAttribute('hidden', text === '');
  }
  repeat(root.querySelector('.specs dl'), rows, (element, row) => {
    setText(element.querySelector('dt'), row.name);
    setText(element.querySelector('dd'), row.value);
  });
  root.querySelector('.product-specs')?.toggleAttribute('hidden', rows.length === 0);
}

/** Search engines that run scripts must not read another price or offer than the page shows. */
const removeStructuredData = (): void =>
  document.querySelector('script[type="application/ld+json"]')?.remove();

/** Updates everything that may have changed since the build, and preserves the shopper's choices. */
export function updateProduct(root: HTMLElement, product: Product): void {
  const before: Fields<'price'> = fieldsOf(parseJson(root.dataset.product ?? null));
  if (before.price !== product.price) removeStructuredData();
  root.dataset.product = JSON.stringify(toCard(product));
  fillTexts(root, product);
  for (const price of root.querySelectorAll('.price')) fillPrice(price, product);
  root.querySelector('.gallery .sale-badge')?.toggleAttribute('hidden', !isOnSale(product));
  const form = root.querySelector('form');
  if (!form) return;
  fillOptions(form, 'size', sizeHeading(product), product.sizes);
  fillOptions(form, 'color', 'Colour', product.colors);
  allowBuying(root, isPriced(product));
}

export function fillProduct(root: HTMLElement, product: Product, pictures: readonly Picture[]): void {
  updateProduct(root, product);
  fillGallery(root, product.name, tintClass(product), pictures);
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
