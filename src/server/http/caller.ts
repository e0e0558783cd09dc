import { BlockList, isIP, isIPv4 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * Who sends a request, as far as its address says. Every limit, queue and cap counts by these; `nginx.conf` in
 * scripts/hosting does the same.
 */
export interface Caller {
  /** What one subscriber has: an address of IPv4, a /56 of IPv6. */
  readonly line: string;
  /** What an attacker may have whole: a /24 of IPv4, a /48 of IPv6. */
  readonly network: string;
}

/** IPv4 addresses as IPv6 writes them: those of a socket for both, and those behind NAT64. */
const EMBEDDED_IPV4 = /^(?:(?:0000:){5}ffff|0064:ff9b(?::0000){4}):(..)(..):(..)(..)$/;

/** Proxies may write `192.0.2.1:443` and `[2001:db8::1]:443`. Each port must not be another caller. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Returns an address in its one spelling; '' for anything else. */
export function readAddress(text: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(text.trim()) ?? [];
  const address = (ipv6 ?? ipv4 ?? text.trim()).toLowerCase();
  if (isIP(address) === 0 || address.includes('%')) return '';
  if (isIPv4(address)) return address;
  const groups = expandIPv6(address);
  const bytes = EMBEDDED_IPV4.exec(groups)?.slice(1);
  return bytes ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.') : groups;
}

export function callerAt(address: string): Caller {
  const read = readAddress(address);
  if (isIPv4(read)) return { line: read, network: `${read.slice(0, read.lastIndexOf('.'))}.0/24` };
  return { line: `${read.slice(0, 17)}/56`, network: `${read.slice(0, 14)}/48` };
}

/** Reads an address, or a network such as 10.0.0.0/8. Returns undefined for anything else. */
function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [written = '', bits, ...rest] = text.trim().split('/');
  const address = readAddress(written);
  const maxBits = isIPv4(address) ? 32 : 128;
  if (address === '' || rest.length > 0) return undefined;
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

const peerOf = (context: Context): string => readAddress(getConnInfo(context).remote.address ?? '');

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

/**
 * Returns the address of the caller. Each proxy appends an address to X-Forwarded-For, so the header is read from its end,
 * as far as trusted proxies wrote it. Callers can invent the rest.
 */
export function callersAddress(
  isTrusted: (address: string) => boolean,
  peer: string,
  forwardedFor = '',
): string {
  let address = readAddress(peer);
  const forwarded = forwardedFor.split(',').filter((entry) => entry.trim() !== '');
  while (isTrusted(address)) {
    const previous = forwarded.pop();
    if (previous === undefined) break;
    address = readAddress(previous);
  }
  return address;
}

export function createCallerOf(trustedProxies: readonly string[]): (context: Context) => Caller {
  const isTrusted = createIsTrusted(trustedProxies);
  return (context) =>
    callerAt(callersAddress(isTrusted, peerOf(context), context.req.header('x-forwarded-for')));
}
