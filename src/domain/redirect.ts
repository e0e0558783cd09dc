import { parseUrl } from './url.ts';

/** Which paths of this site and which pictures' addresses from outside are used; for payments see payment-target.ts. */

const AUTH_PAGE = /^\/(?:login|register)(?:\.html|\/index\.html)?\/*$/i;

const isAuthPage = (path: string): boolean => AUTH_PAGE.test(path.replace(/[?#].*/s, ''));

/**
 * A remembered path as a path of this site, or '/' (resolutions 25; faults 37). The result is judged by how the
 * URL standard reads it, decoded once and again, so that `/%2f%2fevil` and `/\evil` do not get through.
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
  const read = parseUrl(decoded, base)?.pathname ?? decoded;
  if (!url || isAuthPage(read) || isAuthPage(url.pathname)) return '/';
  const written = url.pathname + url.search + url.hash;
  return written === path ? path : safePath(written);
}

/** An http or https picture address as the server gave it, or '' (resolutions 20b; faults 50). */
export function safeImage(address: unknown): string {
  if (typeof address !== 'string' || address.length > 2_048) return '';
  const url = parseUrl(address.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? address.trim() : '';
}
