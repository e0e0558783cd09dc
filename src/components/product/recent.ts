import { element, type Make } from '#components/markup.ts';
import type { Card } from '#domain/card.ts';
import type { Tile } from '#domain/picture.ts';
import { paths } from '#paths.ts';
import { recordViewed, removeViewed } from '#stores/lists/recently-viewed.ts';
import { cardOf } from './buy.ts';
import { type LiveCards, watchCards } from './live-cards.ts';
import { tileText } from './price.ts';

export const tileMarkup = <Node>(
  make: Make<Node>,
  { id, name, tint, thumb }: Omit<Tile, 'price'>,
  text: string,
): Node =>
  make(
    'li',
    { 'data-id': id },
    make(
      'a',
      { class: 'tile', href: paths.product(id) },
      make(
        'span',
        { class: `panel ${tint}` },
        thumb &&
          make('img', { alt: '', loading: 'lazy', decoding: 'async', width: 320, height: 320, src: thumb }),
      ),
      make('span', { class: 'tile-name', translate: 'no' }, name),
      make('b', {}, text),
    ),
  );

/** Without a price until today's is known: the stored one may be of any age. */
const newTile = (card: Card): Element => tileMarkup(element, { ...card, thumb: card.image }, '\u00a0');

function showLive(section: HTMLElement, live: LiveCards): void {
  for (const tile of section.querySelectorAll<HTMLElement>('[data-id]')) {
    const { id = '' } = tile.dataset;
    const card = live.get(id);
    if (card === 'discontinued') {
      removeViewed(id);
      tile.remove();
    } else if (card) tile.querySelector('b')?.replaceChildren(tileText(card));
  }
  if (!section.querySelector('[data-id]')) section.hidden = true;
}

/** Stores the view. Shows earlier products only if the footer is below the viewport, so that nothing visible moves. */
export function showRecent(product: HTMLElement): void {
  const cards = recordViewed(cardOf(product));
  const section = document.querySelector<HTMLElement>('[data-recent]');
  const footer = document.querySelector('.footer');
  if (!section || !footer || cards.length === 0) return;
  if (footer.getBoundingClientRect().top < innerHeight) return;
  section.querySelector('ul')?.replaceChildren(...cards.map(newTile));
  section.hidden = false;
  watchCards(section, (live) => showLive(section, live));
}
