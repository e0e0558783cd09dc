import { guardPictures } from '#components/product/picture-guard.ts';
import { tellQuiet } from '#components/quiet.ts';
import { takeCarriedNotices } from '#stores/carried-notices.ts';
import { whenIdle } from '#stores/idle.ts';
import { onceSeen } from '#stores/page-loaded.ts';
import { notify } from '#stores/toasts.ts';
import { offerDataSaver } from './data-saver.ts';
import { fetchFonts } from './fonts.ts';
import { tendHeader } from './header.ts';
import { offerLanguage } from './language.ts';
import css from './later.css?inline';
import { drawBanner } from './offline.ts';
import { answerSearchKey } from './search-key.ts';
import { keepWorker } from './service-worker.ts';
import { mendStalePage } from './stale.ts';

/**
 * What every page does when it has loaded, with a signal or without. Its styles come with it, not with the page.
 */
export function afterwards(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  onceSeen(() => {
    for (const notice of takeCarriedNotices()) notify(notice);
  });
  fetchFonts();
  tendHeader();
  guardPictures();
  mendStalePage();
  drawBanner();
  offerDataSaver();
  offerLanguage();
  keepWorker();
  answerSearchKey();
  whenIdle(tellQuiet);
  whenIdle(() => void import('./store-texts.ts').then(({ refreshStoreTexts }) => refreshStoreTexts()));
  whenIdle(() => void import('./build-info.ts').then(({ useBuildInfo }) => useBuildInfo()));
}
