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
  /** The address at which this computer reaches it, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly db: Database;
  /** undefined unless the setting `faults` is on */
  readonly faults: FaultInjection | undefined;
  /** Answers the requests that have arrived, then closes port and database. */
  readonly close: () => Promise<void>;
}

const SecretRowSchema = v.object({ value: v.string() });

/** Makes the gateway's secret once for each database, so that payments can be finished after a restart. */
function storedSecret(db: Database): Promise<string> {
  return db.write(() => {
    const made = randomBytes(32).toString('hex');
    db.run("INSERT INTO meta VALUES ('gateway_secret', ?) ON CONFLICT (name) DO NOTHING", made);
    return db.get(SecretRowSchema, "SELECT value FROM meta WHERE name = 'gateway_secret'")?.value ?? made;
  });
}

/** Imports the folder. Where it cannot be used, a database that has a catalogue goes on with that one. */
async function loadCatalogue(db: Database, folder: string, log: Log): Promise<void> {
  try {
    const { products, gone, changed } = await importCatalogue(db, readCatalogue(folder));
    log('info', 'catalogue ready', { products, gone, changed });
  } catch (error) {
    if (!(error instanceof CatalogueError) || storedVersion(db) === undefined) throw error;
    log('error', 'catalogue refused, the last one stays', { problems: error.problems.join('; ') });
  }
}

/** The address at which this computer reaches a server that listens on `host`. */
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
  const requested: Settings = { ...readSettings({ PORT: '0', DATABASE: ':memory:' }), ...given };
  const db = openDatabase(requested.database);
  let answer: Listener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  const server = createServer((request, response) => answer(request, response));
  // Without this a client that asks on over an open connection would hold a stopping server back until it is cut off.
  server.on('request', (_request, response) => {
    response.once('finish', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  Object.assign(server, { headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 5_000 });
  try {
    await loadCatalogue(db, requested.catalogue, log);
    const port = await listen(server, requested.port, requested.host);
    const url = urlOf(requested.host, port);
    const gatewaySecret = requested.gatewaySecret ?? (await storedSecret(db));
    const settings = { ...requested, port, gatewaySecret };
    const faults = requested.faults ? createFaultInjection() : undefined;
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
