import { fetchBuildInfo } from '#api/build-info.ts';
import { formatMoment } from '#domain/date.ts';
import { AHEAD } from './speculation-rules.ts';

/** Of a page: each is under a kilobyte with the dictionary, but not all that is seen is opened. */
const AT_MOST = 4;

/**
 * Marks the first links to products and listings that come into sight, which the speculation rules then fetch. Only for a
 * browser that holds the dictionary. The page itself with another query, as its filters have, is not worth one of them.
 */
function fetchInSightAhead(): void {
  const marked = new Set<string>();
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement) || marked.has(target.href)) continue;
      if (marked.size === AT_MOST) return observer.disconnect();
      marked.add(target.href);
      target.setAttribute(AHEAD, '');
    }
  });
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main a[href^="/product"]')) {
    if (link.pathname !== location.pathname) observer.observe(link);
  }
}

const RELATION = 'compression-dictionary';

/**
 * Has the browser keep the shop's dictionary, once for all pages: each later page then comes in some hundred bytes (RFC
 * 9842). A browser that cannot use it does not fetch it.
 */
function holdDictionary(address: string): void {
  const link = document.createElement('link');
  if (!link.relList.supports(RELATION) || document.querySelector(`link[rel=${RELATION}]`)) return;
  link.rel = RELATION;
  link.href = address;
  link.addEventListener('load', fetchInSightAhead);
  document.head.append(link);
}

/** Shows in the footer when the catalogue was published. The footer reserves a line for it, so nothing moves. */
function showCatalogueDate(publishedAt: string): void {
  const place = document.querySelector('[data-catalogue-date]');
  if (place) place.textContent = `Catalogue updated ${formatMoment(publishedAt)}`;
}

/** What a page does with what only its host knows: when the shop was published, and with which dictionary. */
export async function useBuildInfo(): Promise<void> {
  const { publishedAt, dictionary } = (await fetchBuildInfo()) ?? {};
  if (publishedAt) showCatalogueDate(publishedAt);
  if (dictionary) holdDictionary(dictionary);
}
