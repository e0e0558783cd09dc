import { guardPictures } from '#components/product/picture-guard.ts';
import { whenIdle } from '#stores/shell/idle.ts';
import { whenShown } from '#stores/shell/page-loaded.ts';
import { takeCarriedNotices } from '#stores/shell/shown-notices.ts';
import { notify } from '#stores/shell/toasts.ts';
import { addDataSaverSwitch } from './data-saver.ts';
import { fetchFonts } from './fonts.ts';
import { enhanceHeader } from './header.ts';
import { announcePageIdle } from './idle-event.ts';
import { addLanguageSwitch } from './language.ts';
import css from './later.css?inline';
import { showOfflineBanner } from './offline.ts';
import { handleSearchKey } from './search-key.ts';
import { updateServiceWorker } from './service-worker.ts';
import { reloadStalePage } from './stale.ts';
import { drawToasts } from './toasts.ts';

let showsToasts = false;

/** Draws the notices of this page from now on. */
export function showToasts(): void {
  if (!showsToasts) drawToasts();
  showsToasts = true;
}

/** Starts everything that every page can do without until it has loaded. The styles for it are part of this module. */
export function startLaterParts(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  showToasts();
  whenShown(() => {
    for (const notice of takeCarriedNotices()) notify(notice);
  });
  fetchFonts();
  enhanceHeader();
  guardPictures();
  reloadStalePage();
  showOfflineBanner();
  addDataSaverSwitch();
  addLanguageSwitch();
  updateServiceWorker();
  handleSearchKey();
  whenIdle(announcePageIdle);
  whenIdle(() => void import('./store-texts.ts').then(({ refreshStoreTexts }) => refreshStoreTexts()));
  whenIdle(() => void import('./build-info.ts').then(({ useBuildInfo }) => useBuildInfo()));
}
