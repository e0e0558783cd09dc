import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { expandIPv6 } from 'hono/utils/ipaddr';

/** A socket for IPv4 and IPv6 writes an IPv4 address as `::ffff:192.0.2.1`. Returns it as `192.0.2.1`. */
export const unmapped = (address: string): string =>
  address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Returns the address that a rate limit counts. For IPv6 it is the /64 network: one customer has all of it. */
export const countedAddress = (address: string): string =>
  isIPv6(address) ? `${expandIPv6(address.toLowerCase()).split(':').slice(0, 4).join(':')}::/64` : address;

/** Returns the network of a counted address: /48 for IPv6, /24 for IPv4. */
export const networkOf = (address: string): string =>
  isIPv4(address) ? address.replace(/\.\d+$/, '.0/24') : `${address.split(':').slice(0, 3).join(':')}::/48`;

/** Reads an address, or a network such as 10.0.0.0/8. Returns undefined for anything else. */
function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [address = '', bits, ...rest] = unmapped(text).split('/');
  const maxBits = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (bits === undefined) return { address, bits: maxBits };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits ? { address, bits: Number(bits) } : undefined;
}

export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Returns a function that says whether an address is one of these proxies. */
export function createIsTrusted(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const network = parseNetwork(proxy);
    if (network) trusted.addSubnet(network.address, network.bits, family(network.address));
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
}

const LOOPBACK = createIsTrusted(['127.0.0.0/8', '::1']);

const THIS_COMPUTER: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const peerOf = (context: Context): string => unmapped(getConnInfo(context).remote.address ?? 'unknown');

/** Whether a request arrived over https. Only a trusted proxy's X-Forwarded-Proto counts. */
export function createIsHttps(trustedProxies: readonly string[]): (context: Context) => boolean {
  const isTrusted = createIsTrusted(trustedProxies);
  return (context) => {
    const protocol = context.req.header('x-forwarded-proto') ?? '';
    // The trusted proxy is the last one, so its value is at the end.
    return isTrusted(peerOf(context)) && protocol.split(',').at(-1)?.trim().toLowerCase() === 'https';
  };
}

/** Headers that proxies add: Forwarded, X-Forwarded-Proto and the like, Via, X-Real-IP, CF-Connecting-IP. */
const PROXY_HEADERS = /^(?:(?:x-)?forwarded(?:-.*)?|via|.*-ip)$/;

/**
 * Whether the caller is a program on this machine. `Host` is the caller's choice, so the address of the connection
 * decides too. A request that a proxy forwards does not count.
 */
export const isFromThisComputer = (context: Context): boolean =>
  LOOPBACK(peerOf(context)) &&
  THIS_COMPUTER.has(new URL(context.req.url).hostname) &&
  !Object.keys(context.req.header()).some((name) => PROXY_HEADERS.test(name));

export type ClientAddress = (context: Context) => string;

/**
 * Returns the address that rate limits count. Each proxy appends an address to X-Forwarded-For, so the header is
 * read from its end, as far as trusted proxies wrote it. Callers can invent the rest.
 */
export function countedClient(
  isTrusted: (address: string) => boolean,
  peer: string,
  forwardedFor: string | undefined,
): string {
  let address = unmapped(peer);
  const forwarded = (forwardedFor ?? '').split(',').map(unmapped).filter(Boolean);
  while (isTrusted(address)) {
    const previous = forwarded.pop();
    if (previous === undefined) break;
    address = previous;
  }
  return countedAddress(address);
}

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createIsTrusted(trustedProxies);
  return (context) => countedClient(isTrusted, peerOf(context), context.req.header('x-forwarded-for'));
}
