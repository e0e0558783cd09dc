import { parseUrl } from './url.ts';

/* Decides where a payment may send the browser. Every address in a payment response is checked here. */

const DEEP_LINK_SCHEMES: readonly string[] = ['upi:', 'gpay:', 'tez:', 'phonepe:', 'paytmmp:', 'bhim:'];

export interface RedirectRules {
  /** Whether the page is on localhost, which allows http. */
  readonly local: boolean;
  /** Hosts that a payment form may be posted to, such as `*.bank.example`. Empty: any https host. */
  readonly paymentHosts?: readonly string[];
}

/** Matches like a host of the CSP: `*.bank.example` is every host below bank.example, but not itself. */
const matchesHost = (host: string, name: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;

export function safePaymentUrl(address: string | undefined, rules: RedirectRules): string | undefined {
  const url = address === undefined ? undefined : parseUrl(address.trim());
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const localHttp = rules.local && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !localHttp) return undefined;
  const hosts = rules.paymentHosts ?? [];
  return hosts.length === 0 || hosts.some((name) => matchesHost(url.host, name)) ? url.href : undefined;
}

export function isAppLink(address: string): boolean {
  const url = /\p{Cc}/u.test(address) ? undefined : parseUrl(address);
  return url !== undefined && DEEP_LINK_SCHEMES.includes(url.protocol);
}

export function safeDeepLink(address: string | undefined, rules: RedirectRules): string | undefined {
  const link = address?.trim() ?? '';
  return isAppLink(link) ? link : safePaymentUrl(address, rules);
}
