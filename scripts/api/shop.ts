import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { createCatalogue, type Snapshot } from './catalogue/snapshot.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { CallShop } from './gateway/callback.ts';
import { type ClientAddress, createClientAddress } from './http/client-address.ts';
import { createLimiter, type Limiter } from './http/limiter.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import type { Settings } from './settings.ts';

/** What the factory is given; nothing below reaches for a global. */
export interface Collaborators {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly log: Log;
  /** Runs around every call, CORS included. */
  readonly around?: readonly MiddlewareHandler[];
  /** What a tester switches on, within CORS: a page reads such an answer. */
  readonly faults?: MiddlewareHandler | undefined;
  /** How the sandbox gateway reaches this API; the server uses real HTTP, the factory alone its own routes. */
  readonly callShop?: CallShop;
}

/** What every route works with. */
export interface Shop extends Collaborators {
  readonly catalogue: () => Snapshot;
  readonly passwords: Passwords;
  readonly clientAddress: ClientAddress;
  readonly limiters: Readonly<Record<keyof Settings['limits'], Limiter>>;
  /** The public origin of this API. */
  readonly apiOrigin: string;
  readonly callShop: CallShop;
  readonly gatewaySecret: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** ms since 1970 */
  readonly createdAt: number;
}

/** Hono's environment: `user` stands on the routes that need a bearer token. */
export interface Env {
  Bindings: Partial<HttpBindings>;
  Variables: { user: User };
}

export function openShop(given: Collaborators, callShop: CallShop): Shop {
  const { db, clock, settings } = given;
  const { limits } = settings;
  const apiOrigin = settings.apiOrigin ?? `http://localhost:${settings.port}`;
  return {
    callShop,
    ...given,
    apiOrigin,
    gatewaySecret: settings.gatewaySecret ?? randomBytes(32).toString('hex'),
    catalogue: createCatalogue(db, apiOrigin),
    passwords: createPasswords(settings.hashing),
    clientAddress: createClientAddress(settings.trustedProxies),
    limiters: {
      signIn: createLimiter(limits.signIn, clock),
      signInAddress: createLimiter(limits.signInAddress, clock),
      register: createLimiter(limits.register, clock),
      track: createLimiter(limits.track, clock),
      orderMisses: createLimiter(limits.orderMisses, clock),
    },
  };
}
