import { AHEAD } from './speculation-rules.ts';

/** Of a page: under a kilobyte each with the dictionary, but the server makes no difference between seen and read. */
const AT_MOST = 4;

/**
 * Marks the links to products and listings that come into sight, which the speculation rules then fetch. Only for a browser
 * that holds the dictionary.
 */
export function fetchInSightAhead(): void {
  const marked = new Set([location.href]);
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLAnchorElement) || marked.has(target.href)) continue;
      if (marked.size > AT_MOST) return observer.disconnect();
      marked.add(target.href);
      target.setAttribute(AHEAD, '');
    }
  });
  for (const link of document.querySelectorAll('main a[href^="/product"]')) observer.observe(link);
}
