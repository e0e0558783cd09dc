import { isIPv6 } from 'node:net';
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

/**
 * Who calls, for the rate limits. X-Forwarded-For counts only when a configured proxy wrote it, read from its end:
 * what stands before the last untrusted address is the caller's own invention (faults 39).
 */
export function clientAddress(context: Context, trustedProxies: readonly string[]): string {
  const socket = v.safeParse(SocketSchema, context.env);
  let address = plain((socket.success && socket.output.incoming.socket.remoteAddress) || 'unknown');
  const forwarded = (context.req.header('x-forwarded-for') ?? '').split(',').map(plain).filter(Boolean);
  while (trustedProxies.includes(address)) {
    const previous = forwarded.pop();
    if (previous === undefined) break;
    address = previous;
  }
  return counted(address);
}
