import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { createApp } from './app.ts';
import { importCatalogue, storedVersion } from './catalogue/import.ts';
import { CatalogueError, readCatalogue } from './catalogue/read.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Database, openDatabase } from './db/database.ts';
import { createFaultInjection, type FaultInjection } from './fault-injection.ts';
import { type Ids, randomIds } from './ids.ts';
import { type Log, silentLog } from './log.ts';
import { readSettings, type Settings } from './settings.ts';

/** How long requests in flight may take to finish when the server stops, in ms (faults 93). */
const DRAIN = 4_000;

/** How long the sandbox gateway waits for the shop, in ms. */
const CALLBACK_TIMEOUT = 3_000;

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface StartOptions extends Partial<Settings> {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly around?: readonly MiddlewareHandler[];
}

export interface RunningApi {
  /** Where it listens, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly db: Database;
  /** Only where it was started with them. */
  readonly faults: FaultInjection | undefined;
  /** Finishes what is in flight, then lets go of port and database. */
  readonly close: () => Promise<void>;
}

const SecretRowSchema = v.object({ value: v.string() });

/** The gateway's secret of this database, made at its first start: payments survive a restart. */
function keptSecret(db: Database): Promise<string> {
  return db.write(() => {
    const made = randomBytes(32).toString('hex');
    db.run("INSERT INTO meta VALUES ('gateway_secret', ?) ON CONFLICT (name) DO NOTHING", made);
    return db.get(SecretRowSchema, "SELECT value FROM meta WHERE name = 'gateway_secret'")?.value ?? made;
  });
}

/** A faulty folder stops an empty shop, but a running one keeps what it sold. */
async function stock(db: Database, folder: string, log: Log): Promise<void> {
  try {
    const { products, gone, changed } = await importCatalogue(db, readCatalogue(folder));
    log('info', 'catalogue ready', { products, gone, changed });
  } catch (error) {
    if (!(error instanceof CatalogueError) || storedVersion(db) === undefined) throw error;
    log('error', 'catalogue refused, the last one stays', { problems: error.problems.join('; ') });
  }
}

/** Where this computer reaches a server that listens on `host`: one that listens everywhere, on itself. */
export function urlOf(host: string | undefined, port: number): string {
  const name = host === undefined || EVERYWHERE.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Starts an API in this process: by default on a free port, with an empty database in memory and the demo catalogue.
 * @throws CatalogueError, or the system's error when the port is taken
 */
export async function startApi(options: StartOptions = {}): Promise<RunningApi> {
  const { clock = systemClock, ids = randomIds, log = silentLog, around = [], ...given } = options;
  const wanted: Settings = { ...readSettings({ PORT: '0', DATABASE: ':memory:' }), ...given };
  const db = openDatabase(wanted.database);
  let answer: Listener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  const server = createServer((request, response) => answer(request, response));
  // While it stops: a client that keeps its connection, and asks on, would be answered until it is cut off.
  server.on('request', (_request, response) => {
    response.once('finish', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 5_000 });
  try {
    await stock(db, wanted.catalogue, log);
    const port = await listen(server, wanted.port, wanted.host);
    const url = urlOf(wanted.host, port);
    const gatewaySecret = wanted.gatewaySecret ?? (await keptSecret(db));
    const settings = { ...wanted, port, gatewaySecret };
    const faults = wanted.faults ? createFaultInjection() : undefined;
    const app = createApp({
      db,
      clock,
      ids,
      log,
      around,
      faults: faults?.middleware,
      settings,
      callShop: (path, init) => fetch(url + path, { ...init, signal: AbortSignal.timeout(CALLBACK_TIMEOUT) }),
    });
    answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return {
      url,
      port,
      db,
      faults,
      async close() {
        await drain(server);
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
