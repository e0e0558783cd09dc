import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerAt, callersAddress, createIsTrusted } from '#server/http/caller.ts';
import { createPlaces } from './queue.ts';
import { CONNECTIONS } from './table.ts';

/**
 * Caps the connections of a server. Those of trusted proxies are counted separately, so that callers cannot use up
 * their places. The returned function says whether to answer a request. A forwarded one counts for its caller until the
 * proxy reuses or closes the connection, which may hold an unread answer.
 */
export function capConnections(
  server: Server,
  trustedProxies: readonly string[],
  { all, line, network } = CONNECTIONS,
): (request: IncomingMessage) => boolean {
  const isTrusted = createIsTrusted(trustedProxies);
  const places = createPlaces();
  const holding = new WeakMap<Socket, readonly string[]>();
  /** Releases the places that the connection held before. A refused connection takes no place of its network. */
  const hold = (socket: Socket, kind: string, address: string): boolean => {
    const caller = callerAt(address);
    const keys = [`${kind} of ${caller.line}`, `${kind} of ${caller.network}`] as const;
    places.hold(holding.get(socket) ?? [], -1);
    const isFree = places.heldBy(keys[0]) < line && places.heldBy(keys[1]) < network;
    holding.set(socket, isFree ? keys : []);
    if (isFree) places.hold(keys, 1);
    return isFree;
  };
  const isOfProxy = ({ remoteAddress = '' }: Socket): boolean => isTrusted(remoteAddress);

  server.on('connection', (socket) => {
    const kind = isOfProxy(socket) ? 'proxies' : 'others';
    const isFull = places.heldBy(kind) >= all;
    places.hold([kind], 1);
    socket.once('close', () => places.hold([kind, ...(holding.get(socket) ?? [])], -1));
    if (isFull || (kind === 'others' && !hold(socket, kind, socket.remoteAddress ?? ''))) socket.destroy();
  });

  return ({ socket, headers }) => {
    if (!isOfProxy(socket)) return true;
    const forwardedFor = String(headers['x-forwarded-for'] ?? '');
    const address = callersAddress(isTrusted, socket.remoteAddress ?? '', forwardedFor);
    // Programs on the proxy's own machine are not capped.
    return hold(socket, 'proxies', address) || isTrusted(address);
  };
}
