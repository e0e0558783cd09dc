import type { Card } from '#domain/card.ts';
import { toLine } from '#domain/cart.ts';
import { addsAtOnce, isOnSale, isPriced, onlyOption } from '#domain/product.ts';
import { paths } from '#paths.ts';
import { noPicture } from './no-picture.ts';
import { fillImage, type Priority } from './picture.ts';
import { fillPrice } from './price.ts';
import { copyTemplate } from './template.ts';

/** Returns what the card's button adds, as a stored cart: one piece in the only size and colour. */
export const cardCart = (card: Card): string =>
  JSON.stringify([
    toLine(card, { size: onlyOption(card.sizes), color: onlyOption(card.colors), quantity: 1 }),
  ]);

function fillPicture(element: Element, { tint, picture }: Card, priority: Priority): void {
  const panel = element.querySelector('.panel');
  const image = element.querySelector('img');
  panel?.classList.add(tint);
  if (!picture) image?.replaceWith(noPicture());
  else if (image) fillImage(image, picture, 'card', priority);
}

function fillCard(element: HTMLElement, card: Card, priority: Priority): void {
  const { id, name, category } = card;
  const set = (selector: string, text: string): void => {
    for (const part of element.querySelectorAll(selector)) part.textContent = text;
  };
  const keepIf = (selector: string, isShown: boolean): void => {
    if (!isShown) element.querySelector(selector)?.remove();
  };
  element.dataset.id = id;
  for (const link of element.querySelectorAll('a')) link.href = paths.product(id);
  fillPicture(element, card, priority);
  set('.card-category', category);
  set('.card-name a, .card-add .sr-only', name);
  set('.card-select .sr-only', ` for ${name}`);
  const price = element.querySelector('.price');
  if (price) fillPrice(price, card);
  element.querySelector('.card-add')?.setAttribute('data-add', cardCart(card));
  keepIf('.sale-badge', isOnSale(card));
  keepIf('.card-add', addsAtOnce(card));
  keepIf('.card-select', isPriced(card) && !addsAtOnce(card));
}

export function newCard(card: Card, priority: Priority): HTMLElement {
  const element = copyTemplate('card');
  fillCard(element, card, priority);
  return element;
}
