import { type Picture, toCard } from '#domain/card.ts';
import { isOnSale, isPriced, type Product, sizeHeading, specifications } from '#domain/product.ts';
import { productTexts } from '#domain/product-texts.ts';
import { tintClass } from '#domain/tint.ts';
import { tintWords } from '#site.ts';
import { noPicture } from './no-picture.ts';
import { fillImage, type Priority, pictureText, type Slot } from './picture.ts';
import { fillPrice } from './price.ts';

/** Makes the list hold one element an item; the first that stands there is the pattern. */
function repeat<Item>(
  list: Element | null,
  items: readonly Item[],
  fill: (element: Element, item: Item, index: number) => void,
): void {
  const pattern = list?.firstElementChild;
  if (!list || !pattern) return;
  const elements = items.map((item, index) => {
    const element = pattern.cloneNode(true);
    if (element instanceof Element) fill(element, item, index);
    return element;
  });
  list.replaceChildren(...(elements.length > 0 ? elements : [pattern]));
}

const write = (element: Element | null | undefined, text: string): void => {
  if (element && element.textContent !== text) element.textContent = text;
};

/** What is chosen stays chosen where it is still offered; a single option is chosen by itself. */
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
  write(fieldset.querySelector('legend'), heading);
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

function retint(panel: Element, tint: string): void {
  for (const name of [...panel.classList]) if (name.startsWith('tint-')) panel.classList.remove(name);
  panel.classList.add(tint);
}

function fillGallery(root: Element, name: string, tint: string, pictures: readonly Picture[]): void {
  const strip = root.querySelector('.gallery-strip');
  const thumbs = root.querySelector<HTMLElement>('.gallery-thumbs');
  for (const panel of root.querySelectorAll('.panel')) retint(panel, tint);
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
    write(element.querySelector('.sr-only'), `Picture ${index + 1}`);
    if (pictures.length > 1) fillPicture(element, picture, 'thumb', 'lazy').alt = '';
  });
}

function fillTexts(root: Element, product: Product): void {
  const texts = productTexts(product);
  const rows = specifications(product.attributes);
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = texts[element.dataset.text ?? ''] ?? '';
    write(element, text);
    (element.closest('[data-part]') ?? element).toggleAttribute('hidden', text === '');
  }
  repeat(root.querySelector('.specs dl'), rows, (element, row) => {
    write(element.querySelector('dt'), row.name);
    write(element.querySelector('dd'), row.value);
  });
  root.querySelector('.product-specs')?.toggleAttribute('hidden', rows.length === 0);
}

/** What of the product may have changed since the build: drawn in place, without touching what the shopper chose. */
export function updateProduct(root: HTMLElement, product: Product, picture: Picture | undefined): void {
  root.dataset.product = JSON.stringify(toCard(product, picture, tintWords));
  fillTexts(root, product);
  for (const price of root.querySelectorAll('.price')) fillPrice(price, product);
  root.querySelector('.gallery .sale-badge')?.toggleAttribute('hidden', !isOnSale(product));
  const form = root.querySelector('form');
  if (!form) return;
  fillOptions(form, 'size', sizeHeading(product), product.sizes);
  fillOptions(form, 'color', 'Colour', product.colors);
  allowBuying(root, isPriced(product));
}

/** Draws any product into a copy of the markup of Detail.astro. */
export function fillProduct(root: HTMLElement, product: Product, pictures: readonly Picture[]): void {
  updateProduct(root, product, pictures[0]);
  fillGallery(root, product.name, tintClass(product, tintWords), pictures);
}

function allowBuying(root: Element, allowed: boolean): void {
  for (const button of root.querySelectorAll('button[type=submit]')) {
    if (allowed) button.removeAttribute('aria-disabled');
    else button.setAttribute('aria-disabled', 'true');
  }
}

/** The API no longer knows the product. */
export function retireProduct(root: Element): void {
  write(root.querySelector('.product-gone'), 'This product is no longer available.');
  allowBuying(root, false);
}
