import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { Context } from 'hono';
import * as v from 'valibot';

const SocketSchema = v.object({
  incoming: v.object({ socket: v.object({ remoteAddress: v.optional(v.string()) }) }),
});

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** An IPv6 customer owns a whole /64, so that is what counts as one address. */
function counted(address: string): string {
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

/** An address, or a network such as 10.0.0.0/8; undefined where it is neither. */
function networkOf(text: string): { address: string; bits: number } | undefined {
  const [address = '', bits, ...rest] = plain(text).split('/');
  const most = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (bits === undefined) return { address, bits: most };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits) } : undefined;
}

export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function trust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const network = networkOf(proxy);
    if (network) trusted.addSubnet(network.address, network.bits, family(network.address));
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, family(address));
}

export type ClientAddress = (context: Context) => string;

/**
 * Who calls, for the rate limits. X-Forwarded-For counts only when a configured proxy wrote it, read from its end:
 * what stands before the last untrusted address is the caller's own invention (faults 39).
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = trust(trustedProxies);
  return (context) => {
    const socket = v.safeParse(SocketSchema, context.env);
    let address = plain((socket.success && socket.output.incoming.socket.remoteAddress) || 'unknown');
    const forwarded = (context.req.header('x-forwarded-for') ?? '').split(',').map(plain).filter(Boolean);
    while (isTrusted(address)) {
      const previous = forwarded.pop();
      if (previous === undefined) break;
      address = previous;
    }
    return counted(address);
  };
}
