import { parseUrl } from './url.ts';

/* Checks untrusted paths of this site. Payment URLs are checked in payment-target.ts, picture URLs in url.ts. */

const AUTH_PAGE = /^\/(?:login|register)(?:\.html|\/index\.html)?\/*$/i;

const isAuthPage = (path: string): boolean => AUTH_PAGE.test(path.replace(/[?#].*/s, ''));

/**
 * Returns the path if it is safe to redirect to on this site, else '/'. Parses it by the URL standard, also after decoding
 * it once and twice, so that `/%2f%2fevil` and `/\evil` are refused.
 */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return '/';
  const base = 'https://site.invalid';
  let decoded = path;
  for (let round = 0; round < 3; round += 1) {
    const url = parseUrl(decoded, base);
    if (url?.origin !== base || url.pathname.startsWith('//') || /[\p{Cc}\\]/u.test(decoded)) return '/';
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      break;
    }
  }
  const url = parseUrl(path, base);
  const decodedPath = parseUrl(decoded, base)?.pathname ?? decoded;
  if (!url || isAuthPage(decodedPath) || isAuthPage(url.pathname)) return '/';
  const normalised = url.pathname + url.search + url.hash;
  return normalised === path ? path : safePath(normalised);
}
