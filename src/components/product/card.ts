import type { Card } from '#domain/card.ts';
import { toLine } from '#domain/cart.ts';
import { formatRupees } from '#domain/money.ts';
import {
  addsAtOnce,
  discountPercent,
  isOnSale,
  isPriced,
  onlyOption,
  type Product,
} from '#domain/product.ts';
import { paths } from '#paths.ts';
import { noPicture } from './no-picture.ts';
import { fillImage, type Priority } from './picture.ts';

type Priced = Pick<Product, 'price' | 'originalPrice'>;

/** What a price shows. Built pages and the scripts that fill cards use it, as they do `actionOf`. */
export function shownPrice(product: Priced) {
  const percent = discountPercent(product);
  return {
    price: isPriced(product) ? formatRupees(product.price) : 'Price unavailable',
    onSale: isOnSale(product),
    regular: formatRupees(product.originalPrice ?? 0),
    /** '−18%', with a minus sign; '' for less than one per cent. */
    off: percent > 0 ? `−${percent}%` : '',
  };
}

/** What the button of a card does. Without a price it has none. */
export const actionOf = (card: Pick<Product, 'price' | 'sizes' | 'colors'>): 'add' | 'select' | undefined =>
  addsAtOnce(card) ? 'add' : isPriced(card) ? 'select' : undefined;

export function fillPrice(element: Element, product: Priced): void {
  const { price, onSale, regular, off } = shownPrice(product);
  const set = (selector: string, text: string): void => {
    const part = element.querySelector(selector);
    if (part) part.textContent = text;
  };
  for (const part of element.querySelectorAll<HTMLElement>('.price-sale')) part.hidden = !onSale;
  set('strong', price);
  set('s', regular);
  set('.price-off', off);
}

/** Copies the element in `<template data-template="name">`. Throws if the page has no such template. */
export function copyTemplate(name: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-template="${name}"]`);
  const copy = template?.content.firstElementChild?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error(`There is no template '${name}' in this page.`);
  return copy;
}

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
  keepIf('.sale-badge', shownPrice(card).onSale);
  for (const action of ['add', 'select']) keepIf(`.card-${action}`, actionOf(card) === action);
}

export function newCard(card: Card, priority: Priority): HTMLElement {
  const element = copyTemplate('card');
  fillCard(element, card, priority);
  return element;
}
