import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Turns an IPv4 address back into its own form where a socket for both families wrote it as IPv6. */
const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** What counts as one address: all of a /64 for IPv6, because a customer is given that many. */
function countedAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean);
    while (groups.length + last.length < 8) groups.push('0');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}

/** Reads an address, or a network such as 10.0.0.0/8. Returns undefined for anything else. */
function networkOf(text: string): { address: string; bits: number } | undefined {
  const [address = '', bits, ...rest] = plain(text).split('/');
  const most = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (bits === undefined) return { address, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits) } : undefined;
}

export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function trustIn(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const network = networkOf(proxy);
    if (network) trusted.addSubnet(network.address, network.bits, family(network.address));
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
}

export type ClientAddress = (context: Context) => string;

/**
 * Tells who calls, for the rate limits. X-Forwarded-For is read from its end, for as long as trusted proxies wrote it:
 * a caller can put what he likes before that (faults 39).
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = trustIn(trustedProxies);
  return (context) => {
    let address = plain(getConnInfo(context).remote.address ?? 'unknown');
    const forwarded = (context.req.header('x-forwarded-for') ?? '').split(',').map(plain).filter(Boolean);
    while (isTrusted(address)) {
      const previous = forwarded.pop();
      if (previous === undefined) break;
      address = previous;
    }
    return countedAddress(address);
  };
}
