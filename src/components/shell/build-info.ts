import { fetchBuildInfo } from '#api/build-info.ts';
import { formatMoment } from '#domain/date.ts';
import { AHEAD } from './speculation-rules.ts';

/** Per page. Each costs under a kilobyte with the dictionary, but few visible links are opened. */
const PREFETCH_LIMIT = 4;

/**
 * Marks the first links to products and listings that become visible. The speculation rules then prefetch them. Runs only
 * once the browser has the dictionary. Skips links to this page with another query, such as its filters.
 */
function prefetchVisibleLinks(): void {
  const marked = new Set<string>();
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement) || marked.has(target.href)) continue;
      if (marked.size === PREFETCH_LIMIT) return observer.disconnect();
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
 * Makes the browser store the compression dictionary (RFC 9842). Each later page then takes some hundred bytes. Browsers
 * without support do not fetch it.
 */
function storeDictionary(address: string): void {
  const link = document.createElement('link');
  if (!link.relList.supports(RELATION) || document.querySelector(`link[rel=${RELATION}]`)) return;
  link.rel = RELATION;
  link.href = address;
  link.addEventListener('load', prefetchVisibleLinks);
  document.head.append(link);
}

/** The footer reserves a line for this text, so nothing moves. */
function showCatalogueDate(publishedAt: string): void {
  const place = document.querySelector('[data-catalogue-date]');
  if (place) place.textContent = `Catalogue updated ${formatMoment(publishedAt)}`;
}

export async function useBuildInfo(): Promise<void> {
  const { publishedAt, dictionary } = (await fetchBuildInfo()) ?? {};
  if (publishedAt) showCatalogueDate(publishedAt);
  if (dictionary) storeDictionary(dictionary);
}
