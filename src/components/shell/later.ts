import { guardPictures } from '#components/product/picture-guard.ts';
import { takeCarriedNotices } from '#stores/shell/carried-notices.ts';
import { whenIdle } from '#stores/shell/idle.ts';
import { onceSeen } from '#stores/shell/page-loaded.ts';
import { notify } from '#stores/shell/toasts.ts';
import { offerDataSaver } from './data-saver.ts';
import { fetchFonts } from './fonts.ts';
import { tendHeader } from './header.ts';
import { announcePageIdle } from './idle-event.ts';
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
  whenIdle(announcePageIdle);
  whenIdle(() => void import('./store-texts.ts').then(({ refreshStoreTexts }) => refreshStoreTexts()));
  whenIdle(() => void import('./build-info.ts').then(({ useBuildInfo }) => useBuildInfo()));
}
