/** Where a page of this shop may send the browser. Every address from outside passes here first. */

/** Payment apps a deep link may open (resolutions 37). */
const DEEP_LINK_SCHEMES: readonly string[] = ['upi:', 'gpay:', 'tez:', 'phonepe:', 'paytmmp:', 'bhim:'];

const AUTH_PAGE = /^\/(?:login|register)(?:\.html|\/index\.html)?\/*$/i;

const isAuthPage = (path: string): boolean => AUTH_PAGE.test(path.replace(/[?#].*/s, ''));

const parse = (address: string, base?: string): URL | undefined => {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
};

/**
 * A remembered path as a path of this site, or '/' (resolutions 25; faults 37). The result is judged by how the
 * URL standard reads it, decoded once and again, so that `/%2f%2fevil` and `/\evil` do not get through.
 */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return '/';
  const base = 'https://site.invalid';
  let decoded = path;
  for (let round = 0; round < 3; round += 1) {
    const url = parse(decoded, base);
    if (url?.origin !== base || url.pathname.startsWith('//') || /[\p{Cc}\\]/u.test(decoded)) return '/';
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      break;
    }
  }
  const url = parse(path, base);
  const read = parse(decoded, base)?.pathname ?? decoded;
  if (!url || isAuthPage(read) || isAuthPage(url.pathname)) return '/';
  const written = url.pathname + url.search + url.hash;
  return written === path ? path : safePath(written);
}

export interface RedirectRules {
  /** Whether the page itself is on localhost, where http is allowed too. */
  readonly local: boolean;
  /** Hosts a payment form may be posted to; empty means any https host (faults 54). */
  readonly paymentHosts?: readonly string[];
}

/** A web address the payment may navigate to, or nothing (resolutions 37; faults 52). */
export function safePaymentUrl(address: string | undefined, rules: RedirectRules): string | undefined {
  const url = address === undefined ? undefined : parse(address.trim());
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const localHttp = rules.local && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !localHttp) return undefined;
  const hosts = rules.paymentHosts ?? [];
  return hosts.length === 0 || hosts.includes(url.host) ? url.href : undefined;
}

/** Whether the address opens a payment app of the allow-list. */
export function isAppLink(address: string): boolean {
  const url = /\p{Cc}/u.test(address) ? undefined : parse(address);
  return url !== undefined && DEEP_LINK_SCHEMES.includes(url.protocol);
}

/** A payment app's link or an https one, or nothing (faults 53). */
export function safeDeepLink(address: string | undefined, rules: RedirectRules): string | undefined {
  const link = address?.trim() ?? '';
  return isAppLink(link) ? link : safePaymentUrl(address, rules);
}

/** An http or https picture address as the server gave it, or '' (resolutions 20b; faults 50). */
export function safeImage(address: unknown): string {
  if (typeof address !== 'string' || address.length > 2_048) return '';
  const url = parse(address.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? address.trim() : '';
}
