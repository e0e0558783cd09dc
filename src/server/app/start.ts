import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { type Handler, Hono } from 'hono';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { readCatalogue } from '#server/catalogue/folder/read.ts';
import { sendDigests } from '#server/contact/contact.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import { watchClock } from '#server/db/clock-watch.ts';
import type { Database } from '#server/db/database.ts';
import { StorageError, UnreachableDatabase } from '#server/db/errors.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { findAlerts } from '#server/doctor/alerts.ts';
import { startMailer } from '#server/email/send.ts';
import { runBatches } from '#server/fulfilment/batches/run-batches.ts';
import { expireOrders } from '#server/fulfilment/expire.ts';
import { createHttpServer, drain, listen, urlOf } from '#server/http/node-server.ts';
import { capConnections } from '#server/limits/connections.ts';
import { dropEndedWindows } from '#server/limits/counts.ts';
import { recheckProviders } from '#server/payments/provider-errors.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { type Clock, forever, HOUR, MINUTE, systemClock } from '#server/process/clock.ts';
import { type Log, loggedError, silentLog } from '#server/process/log.ts';
import { isPostgres, readSettings, type Settings } from '#server/settings/settings.ts';
import { corsFor, createApp } from './app.ts';
import { queueDailyEmail } from './daily-email.ts';
import { EMAILS } from './emails.ts';
import { sendStaffNotifications } from './staff-notifications.ts';

/**
 * Background jobs, like those of cron: a new one is a line here. Every process runs each, so a job that only one may do
 * stores its hour by `advanceMeta`. `every` is the pause between runs in ms, `failure` the log's event when a run fails.
 */
const JOBS = [
  { run: watchClock, every: MINUTE, failure: 'the clock could not be compared' },
  { run: findAlerts, every: MINUTE, failure: 'the shop could not be checked for alerts' },
  { run: reconcile, every: 1_000, failure: 'payments could not be reconciled' },
  { run: recheckProviders, every: MINUTE, failure: 'payment providers could not be checked' },
  { run: sendStaffNotifications, every: 5_000, failure: 'emails to the staff could not be put together' },
  { run: queueDailyEmail, every: MINUTE, failure: 'the daily email could not be queued' },
  { run: sendDigests, every: HOUR, failure: 'messages of the contact form could not be put together' },
  { run: runBatches, every: 1_000, failure: 'batches of orders could not be run' },
  { run: expireOrders, every: HOUR, failure: 'unpaid orders could not be cancelled' },
  { run: dropEndedWindows, every: HOUR, failure: 'ended rate limits could not be deleted' },
  { run: eraseExpiredData, every: HOUR, failure: 'expired data could not be erased' },
] as const;

/** Listens without the services of the shop. */
const fallbackListener = (siteOrigins: readonly string[], answer: Handler): RequestListener =>
  getRequestListener(new Hono().use(corsFor(siteOrigins)).all('*', answer).fetch, {
    overrideGlobalObjects: false,
  });

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Responds until the database is reachable: /healthz with 200, all else with 503. */
const answerWhileStarting = (siteOrigins: readonly string[]): RequestListener =>
  fallbackListener(siteOrigins, (context) =>
    context.req.path === '/healthz'
      ? context.json({ status: 'ok' }, 200, NO_STORE)
      : context.json({ error: 'The service is starting.' }, 503, { ...NO_STORE, 'Retry-After': '1' }),
  );

/** Responds with 429 to a caller who holds too many of the proxies' connections. */
export const answerTooMany = (siteOrigins: readonly string[]): RequestListener =>
  fallbackListener(siteOrigins, (context) =>
    context.json({ error: 'Too many requests at once' }, 429, {
      ...NO_STORE,
      'Retry-After': '5',
      Connection: 'close',
    }),
  );

/** Imports the folder into an empty database. An existing catalogue is left alone. */
async function openFilled({ database, catalogue }: Settings, log: Log): Promise<Database> {
  const db = await openDatabase(database, log);
  try {
    if ((await catalogueVersion(db)) === undefined) await importCatalogue(db, readCatalogue(catalogue));
    log('info', 'catalogue ready');
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Between two attempts to connect, in ms. */
const RETRY_PAUSE = 500;

/** Retries while PostgreSQL is unreachable, until `signal` aborts. @throws CatalogueError, or the signal's reason */
async function prepareDatabase(settings: Settings, log: Log, signal?: AbortSignal): Promise<Database> {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await openFilled(settings, log);
    } catch (error) {
      const isAway = error instanceof StorageError && isPostgres(settings.database);
      if (!isAway && !(error instanceof UnreachableDatabase)) throw error;
      if (!isLogged) log('error', 'The database is unreachable. Retrying.', { reason: error.message });
    }
    await pause(RETRY_PAUSE, undefined, { signal });
  }
}

export interface StartOptions extends Partial<Settings> {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Aborts a start that is waiting for the database. */
  readonly signal?: AbortSignal;
}

/**
 * Starts an API in this process: by default on a free port, with an empty database in memory and the demo catalogue. It
 * listens before the database is reachable.
 * @throws CatalogueError, ExplainedError if the port is taken, or the signal's reason
 */
export async function startApi(options: StartOptions = {}) {
  const { clock = systemClock, log = silentLog, signal, ...given } = options;
  const requested: Settings = { ...readSettings({ PORT: '0', DATABASE: ':memory:' }), ...given };
  const { delay, limit } = requested.stopping;
  const { siteOrigins, trustedProxies } = requested;
  let answer = answerWhileStarting(siteOrigins);
  const refuse = answerTooMany(siteOrigins);
  const server = createHttpServer((request, response) =>
    (hasPlace(request) ? answer : refuse)(request, response),
  );
  const hasPlace = capConnections(server, trustedProxies);
  const port = await listen(server, requested.port, requested.host);
  try {
    const db = await prepareDatabase(requested, log, signal);
    let isStopping = false;
    const { app, services } = createApp({
      db,
      clock,
      log,
      settings: { ...requested, port },
      isStopping: () => isStopping,
    });
    const stops = [
      startMailer(services, EMAILS),
      ...JOBS.map(({ run, every, failure }) =>
        forever(
          () => run(services),
          () => every,
          (error) => {
            log('warn', failure, { error: loggedError(error) });
            // A database that is away is reported as that.
            if (!(error instanceof StorageError) && !services.failingJobs.has(failure))
              services.failingJobs.set(failure, clock());
          },
          () => services.failingJobs.delete(failure),
        ),
      ),
    ];
    answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    return {
      /** Reachable from this machine, such as `http://127.0.0.1:40123`. */
      url: urlOf(requested.host, port),
      port,
      db,
      /** Returns 503 from /readyz for a while, finishes the open requests, then closes the port and the database. */
      async close() {
        isStopping = true;
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        await drain(server, limit);
        await Promise.all(stops.map((stop) => stop()));
        await db.close();
      },
    };
  } catch (error) {
    await drain(server, 0);
    throw error;
  }
}

export type RunningApi = Awaited<ReturnType<typeof startApi>>;
