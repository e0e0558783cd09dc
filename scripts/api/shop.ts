import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { createCatalogue, type Snapshot } from './catalogue/snapshot.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { Limiter } from './db/limiter.ts';
import type { CallShop } from './gateway/callback.ts';
import { type ClientAddress, createClientAddress } from './http/client-address.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import type { Settings } from './settings.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** ms since 1970 */
  readonly createdAt: number;
}

/** What a request's context holds: Node's own request and response, and what middleware has found out. */
export interface Env {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Names the request in the log and in its answer's X-Request-Id. */
    requestId: string;
    /** Set for every POST. */
    body: string;
    /** Set for calls that need a token. */
    user: User;
  };
}

/** What `createApp` is given, so that a test can replace the clock, the database and everything else from outside. */
export interface Collaborators {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly log: Log;
  /** Runs around every call, CORS included. */
  readonly around?: readonly MiddlewareHandler[];
  /** Makes calls fail. It runs inside CORS, so that a page can read such an answer. */
  readonly faults?: MiddlewareHandler<Env> | undefined;
  /** Whether the server is stopping, so that no further requests should be sent to it. */
  readonly isStopping?: () => boolean;
  /** How the sandbox gateway calls this API. Without it the gateway calls the app in this process. */
  readonly callShop?: CallShop;
}

/** What every route works with. */
export interface Shop extends Collaborators {
  readonly catalogue: () => Promise<Snapshot>;
  readonly passwords: Passwords;
  /** undefined unless METRICS_TOKEN is set */
  readonly metrics: Metrics | undefined;
  readonly clientAddress: ClientAddress;
  readonly limiters: Readonly<Record<keyof Settings['limits'], Limiter>>;
  /** The origin under which browsers reach this API. */
  readonly apiOrigin: string;
  readonly callShop: CallShop;
  readonly gatewaySecret: string;
}

export function openShop(given: Collaborators, callShop: CallShop): Shop {
  const { db, clock, settings } = given;
  const { limits } = settings;
  const passwords = createPasswords(settings.hashing);
  const apiOrigin = settings.apiOrigin ?? `http://localhost:${settings.port}`;
  return {
    callShop,
    ...given,
    apiOrigin,
    gatewaySecret: settings.gatewaySecret ?? randomBytes(32).toString('hex'),
    catalogue: createCatalogue(db, apiOrigin, clock),
    passwords,
    metrics: settings.metricsToken === undefined ? undefined : createMetrics(db, passwords),
    clientAddress: createClientAddress(settings.trustedProxies),
    limiters: {
      signIn: db.openLimiter('signIn', limits.signIn),
      signInAddress: db.openLimiter('signInAddress', limits.signInAddress),
      register: db.openLimiter('register', limits.register),
      track: db.openLimiter('track', limits.track),
      orderMisses: db.openLimiter('orderMisses', limits.orderMisses),
    },
  };
}
