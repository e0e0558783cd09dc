import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import { createApp } from './app.ts';
import { importCatalogue, storedVersion } from './catalogue/import.ts';
import { CatalogueError, readCatalogue } from './catalogue/read.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open-database.ts';
import { createFaultInjection, type FaultInjection } from './fault-injection.ts';
import { createHttpServer, drain, listen, urlOf } from './http/node-server.ts';
import { type Ids, randomIds } from './ids.ts';
import { type Log, silentLog } from './log.ts';
import { readSettings, type Settings } from './settings.ts';

/** How long the sandbox gateway waits for the shop, in ms. */
const CALLBACK_TIMEOUT = 3_000;

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
  /** Lets /readyz say 503 for a while, answers the requests that have arrived, then closes port and database. */
  readonly close: () => Promise<void>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const SecretRowSchema = v.object({ value: v.string() });

/** Makes the gateway's secret once for each database, so that payments can be finished after a restart. */
function storedSecret(db: Database): Promise<string> {
  return db.write(async (transaction) => {
    const made = randomBytes(32).toString('hex');
    await transaction.run(
      "INSERT INTO meta VALUES ('gateway_secret', ?) ON CONFLICT (name) DO NOTHING",
      made,
    );
    const stored = await transaction.get(
      SecretRowSchema,
      "SELECT value FROM meta WHERE name = 'gateway_secret'",
    );
    return stored?.value ?? made;
  });
}

/** Imports the folder. Where it cannot be used, a database that has a catalogue goes on with that one. */
async function loadCatalogue(db: Database, folder: string, log: Log): Promise<void> {
  try {
    const { products, gone, changed } = await importCatalogue(db, readCatalogue(folder));
    log('info', 'catalogue ready', { products, gone, changed });
  } catch (error) {
    if (!(error instanceof CatalogueError) || (await storedVersion(db)) === undefined) throw error;
    log('error', 'catalogue refused, the last one stays', { problems: error.problems.join('; ') });
  }
}

/**
 * Starts an API in this process: by default on a free port, with an empty database in memory and the demo catalogue.
 * @throws CatalogueError, or the system's error when the port is taken
 */
export async function startApi(options: StartOptions = {}): Promise<RunningApi> {
  const { clock = systemClock, ids = randomIds, log = silentLog, around = [], ...given } = options;
  const requested: Settings = { ...readSettings({ PORT: '0', DATABASE: ':memory:' }), ...given };
  const db = await openDatabase(requested.database, log);
  let answer: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end();
  const server = createHttpServer((request, response) => answer(request, response));
  try {
    await loadCatalogue(db, requested.catalogue, log);
    const port = await listen(server, requested.port, requested.host);
    const url = urlOf(requested.host, port);
    const gatewaySecret = requested.gatewaySecret ?? (await storedSecret(db));
    const settings = { ...requested, port, gatewaySecret };
    let isStopping = false;
    const faults = requested.faults ? createFaultInjection() : undefined;
    const app = createApp({
      db,
      clock,
      ids,
      log,
      around,
      faults: faults?.middleware,
      settings,
      isStopping: () => isStopping,
      callShop: (path, init) => fetch(url + path, { ...init, signal: AbortSignal.timeout(CALLBACK_TIMEOUT) }),
    });
    answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return {
      url,
      port,
      db,
      faults,
      async close() {
        isStopping = true;
        if (settings.stopping.delay > 0) await pause(settings.stopping.delay);
        await drain(server, settings.stopping.limit);
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
