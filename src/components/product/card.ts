import { icon, type Make } from '#components/markup.ts';
import type { Card } from '#domain/card.ts';
import { toLine } from '#domain/cart.ts';
import { addsAtOnce, isOnSale, isPriced, onlyOption } from '#domain/product.ts';
import { paths } from '#paths.ts';
import { noPicture, type Priority, pictureAttributes } from './picture.ts';
import { priceMarkup } from './price.ts';

const EYE =
  'M2.062 12.348a1 1 0 0 1 0-.696a10.75 10.75 0 0 1 19.876 0a1 1 0 0 1 0 .696a10.75 10.75 0 0 1-19.876 0M15 12a3 3 0 1 1-6 0a3 3 0 0 1 6 0';
const BAG =
  'M16 10a4 4 0 0 1-8 0M3.103 6.034h17.794M3.4 5.467a2 2 0 0 0-.4 1.2V20a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6.667a2 2 0 0 0-.4-1.2l-2-2.667A2 2 0 0 0 17 2H7a2 2 0 0 0-1.6.8z';
const PLUS = 'M5 12h14m-7-7v14';

/** The picture and View duplicate the title's link, so keyboards and screen readers skip them. */
const POINTER_ONLY = { tabindex: -1, 'aria-hidden': 'true' } as const;

/** Adds one piece in the only size and colour, which the button has as a stored cart. */
function addButton<Node>(make: Make<Node>, card: Card): Node {
  const line = toLine(card, { size: onlyOption(card.sizes), color: onlyOption(card.colors), quantity: 1 });
  return make(
    'button',
    {
      class: 'btn btn-sm card-add',
      type: 'button',
      'data-add': JSON.stringify([line]),
      'data-min-per-order': card.minPerOrder,
    },
    icon(make, BAG, 18, 'card-bag'),
    icon(make, PLUS, 20, 'card-plus'),
    make(
      'span',
      { class: 'card-label' },
      'Add ',
      make('span', { class: 'sr-only', translate: 'no' }, card.name),
      ' to cart',
    ),
  );
}

/** What the button of a card that can be bought does. */
const actionOf = <Node>(make: Make<Node>, card: Card, href: string): Node =>
  addsAtOnce(card)
    ? addButton(make, card)
    : make(
        'a',
        { class: 'btn btn-sm card-select', href },
        'Select options',
        make('span', { class: 'sr-only' }, ` for ${card.name}`),
      );

export function cardMarkup<Node>(make: Make<Node>, card: Card, priority: Priority): Node {
  const { id, name, category, tint, picture, soldOut } = card;
  const href = paths.product(id);
  return make(
    'li',
    { class: 'card', 'data-id': id },
    make(
      'div',
      { class: `card-media panel ${tint}` },
      make(
        'a',
        { class: 'card-picture', href, ...POINTER_ONLY },
        picture ? make('img', { alt: '', ...pictureAttributes(picture, 'card', priority) }) : noPicture(make),
      ),
      isOnSale(card) && make('span', { class: 'sale-badge' }, 'Sale'),
      soldOut && make('span', { class: 'sale-badge sold-out' }, soldOut),
    ),
    make(
      'div',
      { class: 'card-text' },
      make('p', { class: 'card-category', translate: 'no' }, category),
      make('h3', { class: 'card-name', translate: 'no' }, make('a', { href }, name)),
      priceMarkup(make, card),
    ),
    make(
      'div',
      { class: 'card-actions' },
      make(
        'a',
        { class: 'btn btn-sm btn-light card-view', href, ...POINTER_ONLY },
        icon(make, EYE, 18),
        'View',
      ),
      isPriced(card) && !soldOut && actionOf(make, card, href),
    ),
  );
}
