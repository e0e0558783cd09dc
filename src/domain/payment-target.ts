import { parseUrl } from './url.ts';

/** Where a payment may send the browser. Every address of an answer passes here first. */

/** Payment apps a deep link may open (resolutions 37). */
const DEEP_LINK_SCHEMES: readonly string[] = ['upi:', 'gpay:', 'tez:', 'phonepe:', 'paytmmp:', 'bhim:'];

export interface RedirectRules {
  /** Whether the page itself is on localhost, where http is allowed too. */
  readonly local: boolean;
  /** Hosts a payment form may be posted to, `*.` for all below one; empty means any https host (faults 54). */
  readonly paymentHosts?: readonly string[];
}

/** As the policy's form-action reads it: `*.bank.example` is every host below bank.example, but not itself. */
const isNamed = (host: string, name: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;

/** A web address the payment may navigate to, or nothing (resolutions 37; faults 52). */
export function safePaymentUrl(address: string | undefined, rules: RedirectRules): string | undefined {
  const url = address === undefined ? undefined : parseUrl(address.trim());
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const localHttp = rules.local && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !localHttp) return undefined;
  const hosts = rules.paymentHosts ?? [];
  return hosts.length === 0 || hosts.some((name) => isNamed(url.host, name)) ? url.href : undefined;
}

/** Whether the address opens a payment app of the allow-list. */
export function isAppLink(address: string): boolean {
  const url = /\p{Cc}/u.test(address) ? undefined : parseUrl(address);
  return url !== undefined && DEEP_LINK_SCHEMES.includes(url.protocol);
}

/** A payment app's link or an https one, or nothing (faults 53). */
export function safeDeepLink(address: string | undefined, rules: RedirectRules): string | undefined {
  const link = address?.trim() ?? '';
  return isAppLink(link) ? link : safePaymentUrl(address, rules);
}
