import { icons } from '@iconify-json/lucide';
import { homeTexts, trustTiles } from '#domain/home-texts.ts';
import { type StoreRecord, withDefaults } from '#domain/store-fields.ts';
import { escapeMarkup } from '#domain/text.ts';
import { STORE_DEFAULTS } from '#site.ts';
import type { Places } from './live-page.ts';

/** As `Icon.astro` draws it. */
const drawIcon = (name: string): string =>
  `<svg class="icon" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">${icons.icons[name]?.body ?? ''}</svg>`;

/** What the home page tells of the record, as `Hero.astro` and `Trust.astro` draw it. Its picture is not among it. */
export function homePlaces(record: StoreRecord): Places {
  const store = withDefaults(record, STORE_DEFAULTS);
  const { hero, trust } = homeTexts(store);
  const tiles = trustTiles({ ...store, trust }).map(
    ({ icon, title, text }) =>
      `<li>${drawIcon(icon)}<span><b>${escapeMarkup(title)}</b> ${escapeMarkup(text)}</span></li>`,
  );
  return {
    '.hero h1': hero.title.split('\n').map(escapeMarkup).join('<br>'),
    '.hero-side p': escapeMarkup(hero.text),
    '.trust': tiles.join(''),
  };
}
