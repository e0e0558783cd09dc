import type { Card } from '#domain/card.ts';
import { paths } from '#paths.ts';
import { recordViewed, removeViewed } from '#stores/lists/recently-viewed.ts';
import { cardOf } from './buy.ts';
import { copyTemplate, shownPrice } from './card.ts';
import { type LiveCards, watchCards } from './live-cards.ts';

/** Without a price until today's is known: the stored one may be of any age. */
function newTile({ id, name, tint, image }: Card): HTMLElement {
  const tile = copyTemplate('tile');
  tile.dataset.id = id;
  const picture = tile.querySelector('img');
  tile.querySelector('a')?.setAttribute('href', paths.product(id));
  tile.querySelector('.panel')?.classList.add(tint);
  tile.querySelector('.tile-name')?.append(name);
  tile.querySelector('b')?.replaceChildren('\u00a0');
  if (image) picture?.setAttribute('src', image);
  else picture?.remove();
  return tile;
}

function showLive(section: HTMLElement, live: LiveCards): void {
  for (const tile of section.querySelectorAll<HTMLElement>('[data-id]')) {
    const { id = '' } = tile.dataset;
    const card = live.get(id);
    if (card === 'discontinued') {
      removeViewed(id);
      tile.remove();
    } else if (card) tile.querySelector('b')?.replaceChildren(shownPrice(card).price);
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
