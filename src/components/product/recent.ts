import type { Card } from '#domain/card.ts';
import { paths } from '#paths.ts';
import { recordViewed } from '#stores/lists/recently-viewed.ts';
import { cardOf } from './buy.ts';
import { copyTemplate, shownPrice } from './card.ts';

function newTile(card: Card): HTMLElement {
  const { id, name, tint, image } = card;
  const tile = copyTemplate('tile');
  const picture = tile.querySelector('img');
  tile.querySelector('a')?.setAttribute('href', paths.product(id));
  tile.querySelector('.panel')?.classList.add(tint);
  tile.querySelector('.tile-name')?.append(name);
  tile.querySelector('b')?.replaceChildren(shownPrice(card).price);
  if (image) picture?.setAttribute('src', image);
  else picture?.remove();
  return tile;
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
}
