import { getRequestListener } from '@hono/node-server';
import { sendDigests } from '#server/contact/contact.ts';
import { watchClock } from '#server/db/clock-watch.ts';
import type { Database } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
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
import { readSettings, type Settings } from '#server/settings/settings.ts';
import { createApp } from './app.ts';
import { queueDailyEmail } from './daily-email.ts';
import { EMAILS } from './emails.ts';
import { answerTooMany, answerWhileStarting } from './fallback-listeners.ts';
import { prepareDatabase } from './prepare-database.ts';
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

export interface StartOptions extends Partial<Settings> {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Aborts a start that is waiting for the database. */
  readonly signal?: AbortSignal;
}

export interface RunningApi {
  /** Reachable from this machine, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  readonly db: Database;
  /** Returns 503 from /readyz for a while, finishes the open requests, then closes the port and the database. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an API in this process: by default on a free port, with an empty database in memory and the demo catalogue. It
 * listens before the database is reachable.
 * @throws CatalogueError, ExplainedError if the port is taken, or the signal's reason
 */
export async function startApi(options: StartOptions = {}): Promise<RunningApi> {
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
    const url = urlOf(requested.host, port);
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
      url,
      port,
      db,
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
