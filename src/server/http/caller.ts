import { BlockList, isIP, isIPv4 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { expandIPv6 } from 'hono/utils/ipaddr';

/**
 * The sender of a request, as far as its address shows. Every limit, queue and cap counts by line and network;
 * `nginx.conf` in scripts/hosting does the same.
 */
export interface Caller {
  /** What one subscriber has: an IPv4 address or an IPv6 /56. */
  readonly line: string;
  /** What an attacker may rent as a whole: an IPv4 /24 or an IPv6 /48. */
  readonly network: string;
}

/** IPv4 addresses within IPv6: those of a dual-stack socket, and those behind NAT64. */
const EMBEDDED_IPV4 = /^(?:(?:0000:){5}ffff|0064:ff9b(?::0000){4}):(..)(..):(..)(..)$/;

/** Proxies may write `192.0.2.1:443` and `[2001:db8::1]:443`. A caller with several ports is one caller. */
const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** Returns an address in its one spelling; '' for anything else. */
function readAddress(text: string): string {
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

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

type IsTrusted = (address: string) => boolean;

const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/**
 * Returns a function that says whether an address is one of these proxies, which are addresses or networks such as
 * 10.0.0.0/8. @throws for anything else
 */
export function createIsTrusted(proxies: readonly string[]): IsTrusted {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [, written = '', bits] = NETWORK.exec(proxy.trim()) ?? [];
    const address = readAddress(written);
    trusted.addSubnet(address, Number(bits ?? (isIPv4(address) ? 32 : 128)), family(address));
  }
  return (text) => {
    const address = readAddress(text);
    return address !== '' && trusted.check(address, family(address));
  };
}

export function isNetwork(text: string): boolean {
  try {
    return createIsTrusted([text]) !== undefined;
  } catch {
    return false;
  }
}

const LOOPBACK = createIsTrusted(['127.0.0.0/8', '::1']);

const peerOf = (context: Context): string => getConnInfo(context).remote.address ?? '';

/** Whether a request arrived over https. Only a trusted proxy's X-Forwarded-Proto counts. */
export function createIsHttps(trustedProxies: readonly string[]): (context: Context) => boolean {
  const isTrusted = createIsTrusted(trustedProxies);
  // The trusted proxy is the last one, so its value is at the end.
  return (context) =>
    isTrusted(peerOf(context)) &&
    context.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() === 'https';
}

/** Headers that proxies add: Forwarded, X-Forwarded-Proto and the like, Via, X-Real-IP, CF-Connecting-IP. */
const PROXY_HEADERS = /^(?:(?:x-)?forwarded(?:-.*)?|via|.*-ip)$/;

/**
 * Whether the caller is a program on this machine. The caller can choose `Host`, so the connection's address is checked
 * too. A forwarded request does not count.
 */
export const isFromThisComputer = (context: Context): boolean =>
  LOOPBACK(peerOf(context)) &&
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(context.req.url).hostname) &&
  !Object.keys(context.req.header()).some((name) => PROXY_HEADERS.test(name));

/**
 * Returns the address of the caller. Each proxy appends an address to X-Forwarded-For, so the header is read from its end,
 * as far as trusted proxies wrote it. Callers can invent the rest.
 */
export function callersAddress(isTrusted: IsTrusted, peer: string, forwardedFor = ''): string {
  const forwarded = forwardedFor.split(',').filter((entry) => entry.trim() !== '');
  const path = [peer, ...forwarded.toReversed()];
  return path.find((entry) => !isTrusted(entry)) ?? path.at(-1) ?? '';
}

export function createCallerOf(trustedProxies: readonly string[]): (context: Context) => Caller {
  const isTrusted = createIsTrusted(trustedProxies);
  return (context) =>
    callerAt(callersAddress(isTrusted, peerOf(context), context.req.header('x-forwarded-for')));
}
