import { AHEAD } from './speculation-rules.ts';

/** Of a page: each is under a kilobyte with the dictionary, but not all that is seen is opened. */
const AT_MOST = 4;

/**
 * Marks the first links to products and listings that come into sight, which the speculation rules then fetch. Only for a
 * browser that holds the dictionary. The page itself with another query, as its filters have, is not worth one of them.
 */
export function fetchInSightAhead(): void {
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
