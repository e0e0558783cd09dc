import { addStyles, element } from '#components/markup.ts';
import { guardPictures } from '#components/product/picture-guard.ts';
import * as CURRENCY from '#domain/currency.ts';
import { type Fields, fieldsOf } from '#domain/json.ts';
import { keepInHistory, keptInHistory } from '#stores/shell/address.ts';
import { whenIdle } from '#stores/shell/connection.ts';
import { onEvents, onReturn } from '#stores/shell/events.ts';
import { takeStoredNotices } from '#stores/shell/flash-notices.ts';
import { announcePageIdle, whenShown } from '#stores/shell/page-load.ts';
import { writeStored } from '#stores/shell/storage.ts';
import { type Notice, notify } from '#stores/shell/toasts.ts';
import { addDataSaverSwitch } from './data-saver.ts';
import { enhanceHeader } from './header.ts';
import { addLanguageSwitch } from './language.ts';
import css from './later.css?inline';
import { updateServiceWorker } from './service-worker.ts';
import { reloadStalePage } from './stale.ts';
import { renderToasts } from './toasts.ts';

addStyles(css);

const TITLE = 'You seem to be offline.';
const TEXT = ' Your cart and the pages you visited still work.';
const TEXT_SHOWN_MS = 8_000;

/** The banner overlays the page, so nothing moves. */
function showOfflineBanner(): void {
  // Screen readers announce a text only if its live region already exists.
  const banner = element('div', { class: 'offline-banner', role: 'status' });
  const title = element('strong', {}, TITLE);
  const text = element('span', {}, TEXT);
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

/** The stored key that early.ts reads, and the class that it then sets. */
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
    .then(() => void writeStored(FONTS_LOADED, ''))
    .catch(() => {});
}

/** `focusVisible` is newer than TypeScript's list. */
const UNSEEN: FocusOptions & { focusVisible: boolean } = { preventScroll: true, focusVisible: false };

/** The control of an event, also if its icon was the target. */
const controlOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('a, button, input, summary') : null;

/**
 * Gives what is clicked the focus, which Safari does not: it would be lost when a dialog closes or the control is removed.
 * A button that has appeared under the finger, because a phone claims to hover, opens the product of its card instead.
 */
function guardClicks(): void {
  let pressed: HTMLElement | null | undefined;
  const notePress = (event: Event): void => {
    pressed = event.type === 'pointerdown' ? controlOf(event) : undefined;
  };
  const guard = (event: MouseEvent): void => {
    const control = controlOf(event);
    const appeared = event.detail > 0 && pressed !== undefined && pressed !== control;
    notePress(event);
    if (appeared && control?.closest('.card-actions')) {
      event.preventDefault();
      event.stopPropagation();
      control.closest('.card')?.querySelector('a')?.click();
    } else if (event.isTrusted && !document.activeElement?.matches('input, select, textarea'))
      if (!control?.matches(':focus')) control?.focus(UNSEEN);
  };
  onEvents(['pointerdown', 'pointercancel'], notePress, true);
  onEvents(['click'], guard, true);
}

/**
 * Scrolls to where the page was left, once it is high enough: browsers give up before a list or an island is rendered. Not
 * after the visitor has scrolled or pressed.
 */
function returnToPlace(): void {
  const { place, picture } = keptInHistory();
  document.querySelector('.gallery-strip')?.scrollTo({ left: Number(picture) || 0, behavior: 'instant' });
  const { documentElement: root } = document;
  const end = (): number => root.scrollHeight - innerHeight;
  if (typeof place !== 'number' || (scrollY > 0 && scrollY < Math.min(place, end()) - 1)) return;
  const observer = new ResizeObserver(() => {
    if (end() < place) return;
    observer.disconnect();
    scrollTo({ top: place, behavior: 'instant' });
  });
  observer.observe(document.body);
  for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(event, () => observer.disconnect(), { once: true, passive: true });
}

function keepPlace(): void {
  returnToPlace();
  onReturn(returnToPlace);
  const keep = (): void =>
    keepInHistory({ place: scrollY, picture: document.querySelector('.gallery-strip')?.scrollLeft ?? 0 });
  onEvents(['pagehide'], keep, true);
}

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function isNotice(value: unknown): value is Notice {
  const { title, text, tone, action }: Fields<keyof Notice> = fieldsOf(value);
  const { label, href }: Fields<'label' | 'href'> = fieldsOf(action);
  const linkFits = action === undefined || (typeof label === 'string' && /^\/(?!\/)/.test(String(href)));
  return typeof title === 'string' && isText(text) && isText(tone) && linkFits;
}

let showsToasts = false;

export function showToasts(): void {
  if (!showsToasts) renderToasts();
  showsToasts = true;
}

export function startLaterParts(): void {
  showToasts();
  whenShown(() => {
    for (const notice of takeStoredNotices().filter(isNotice)) notify(notice);
  });
  fetchFonts();
  keepPlace();
  guardClicks();
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
