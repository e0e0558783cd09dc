import { guardPictures } from '#components/product/picture-guard.ts';
import * as CURRENCY from '#domain/currency.ts';
import { whenIdle } from '#stores/shell/connection.ts';
import { announcePageIdle, whenShown } from '#stores/shell/page-load.ts';
import { takeFlashNotices } from '#stores/shell/take-flash-notices.ts';
import { notify } from '#stores/shell/toasts.ts';
import { addDataSaverSwitch } from './data-saver.ts';
import { enhanceHeader } from './header.ts';
import { addLanguageSwitch } from './language.ts';
import css from './later.css?inline';
import { updateServiceWorker } from './service-worker.ts';
import { reloadStalePage } from './stale.ts';
import { addStyles } from './styles.ts';
import { renderToasts } from './toasts.ts';

addStyles(css);

const TITLE = 'You seem to be offline.';
const TEXT = ' Your cart and the pages you visited still work.';
const TEXT_SHOWN_MS = 8_000;

/** The banner overlays the page, so nothing moves. */
function showOfflineBanner(): void {
  // Screen readers announce a text only if its live region already exists.
  const banner = document.createElement('div');
  banner.className = 'offline-banner';
  banner.setAttribute('role', 'status');
  const title = document.createElement('strong');
  title.textContent = TITLE;
  const text = document.createElement('span');
  text.textContent = TEXT;
  document.body.append(banner);
  let timer = 0;
  const render = (): void => {
    clearTimeout(timer);
    banner.replaceChildren(...(navigator.onLine ? [] : [title, text]));
    // Removes the long text after a while, because the visitor cannot always scroll the covered part into view.
    timer = window.setTimeout(() => text.remove(), TEXT_SHOWN_MS);
  };
  render();
  // A page from the back/forward cache has missed earlier events.
  for (const event of ['online', 'offline', 'pageshow']) addEventListener(event, render);
}

/** The localStorage key that early.ts reads, and the class that it then sets. */
const FONTS_LOADED = 'fonts';
const FONTS = ['1em Figtree', '700 1em Bricolage'];
/** One character of each font file. The currency symbol has its own file. */
const SAMPLE = `a${CURRENCY.symbol}`;

/**
 * On a first visit, fetches the fonts after the page has loaded, so that they do not delay its pictures. Only the next page
 * uses them: this page stays in its fallback font, so nothing moves.
 */
function fetchFonts(): void {
  if (document.documentElement.classList.contains(FONTS_LOADED)) return;
  Promise.all(FONTS.map((font) => document.fonts.load(font, SAMPLE)))
    .then(() => localStorage.setItem(FONTS_LOADED, ''))
    .catch(() => {});
}

let showsToasts = false;

export function showToasts(): void {
  if (!showsToasts) renderToasts();
  showsToasts = true;
}

export function startLaterParts(): void {
  showToasts();
  whenShown(() => {
    for (const notice of takeFlashNotices()) notify(notice);
  });
  fetchFonts();
  enhanceHeader();
  guardPictures();
  reloadStalePage();
  showOfflineBanner();
  addDataSaverSwitch();
  addLanguageSwitch();
  updateServiceWorker();
  whenIdle(announcePageIdle);
  whenIdle(() => void import('./store-texts.ts').then(({ refreshStoreTexts }) => refreshStoreTexts()));
  whenIdle(() => void import('./build-info.ts').then(({ useBuildInfo }) => useBuildInfo()));
}
