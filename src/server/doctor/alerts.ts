import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { formatMoment } from '#domain/date.ts';
import { plural } from '#domain/text.ts';
import { clockProblem } from '#server/db/clock-watch.ts';
import { json } from '#server/db/columns.ts';
import type { Database } from '#server/db/database.ts';
import { StorageError, storageProblem } from '#server/db/errors.ts';
import { BACKED_UP_AT, NAMED, readMeta, setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { stuckEmails } from '#server/email/outbox.ts';
import { failingProviders, refusedWebhooks } from '#server/payments/provider-errors.ts';
import { DAY, isoTime } from '#server/process/clock.ts';
import { createWatcherClient } from '#server/publishing/watcher-client.ts';
import type { Services } from '#server/services/services.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { isPostgres, PUBLISH, type Settings } from '#server/settings/settings.ts';
import { storedStore } from '#server/store/stored-store.ts';
import { type Check, type Finding, findingsOf, type RunningFacts } from './check.ts';
import { cached, PROBES } from './probes.ts';

const GIBIBYTE = 2 ** 30;

/** Returns the nearest existing folder of a path. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const writtenFolders = ({ env, settings }: RunningFacts): string[] => [
  ...(settings && !isPostgres(settings.database) ? [dirname(resolve(settings.database))] : []),
  resolve(parseSettings(PUBLISH, env).PUBLISH_DIR),
  resolve('.cache'),
];

/** Returns 0 if no more files can be made, whatever their size. */
function freeBytesOf(folder: string): number {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  return files > 0 && ffree < 1_000 ? 0 : bavail * bsize;
}

/** More than fits into the pages that the database has. */
const PROBE = { name: 'probe', value: 'x'.repeat(64 * 1_024) };

/** Stores and deletes a row. Returns why that is not possible. */
async function refusedWrite(db: Database): Promise<string | undefined> {
  try {
    await db.write(async (transaction) => {
      await setMeta(transaction, PROBE.name, PROBE.value);
      await transaction.run(q.deleteFrom('meta').where('name', '=', PROBE.name));
    });
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return storageProblem(error);
    throw error;
  }
}

const watcherStatus = cached(
  ({ publishing }: Settings) => createWatcherClient(publishing).status(),
  ({ publishing: { hook, token } }) => `${hook} ${token}`,
);

/**
 * What may stop working in a shop that is open. A check reads no more than it must, because all of them run each minute,
 * and must not need what it examines: emails cannot report that no emails are sent.
 */
export const ALERT_CHECKS: readonly Check<RunningFacts>[] = [
  {
    name: 'database writes',
    todo: 'See that it runs, has room on its disk, and lets the user of the shop write (npm run doctor names the files). Until then no order is stored, and nothing can be changed.',
    page: '/',
    find: ({ services }) => services && refusedWrite(services.db),
  },
  {
    name: 'outbox',
    todo: 'Check SMTP_URL, and the account at your mail provider: its password, its limit and its bill. Emails that wait are sent then, and those that failed on the page Emails.',
    page: '/emails',
    async find({ shop, settings, now }) {
      const stuck = shop && (await stuckEmails(shop.db, now));
      if (!stuck) return undefined;
      const { reply, since, waiting, failed } = stuck;
      const reason = settings?.mail ? `The last reply was: ${reply || 'none'}` : 'SMTP_URL is not set';
      return {
        problem: `No email is accepted by the mail server. ${reason.replace(/\.?$/, '.')}${failed > 0 ? ` ${plural(failed, 'email')} failed.` : ''}`,
        since,
        waiting: [waiting, 'email'],
      };
    },
  },
  {
    name: 'disk',
    todo: 'Make room: a release, a backup and the database need some. A full disk stops the shop.',
    find(facts) {
      const { freeBytes = freeBytesOf } = facts;
      const full = writtenFolders(facts).filter((folder) => freeBytes(nearest(folder)) < GIBIBYTE);
      return full.length > 0 && `Less than 1 GiB is free where ${full.join(', ')} is.`;
    },
  },
  {
    name: 'payment providers',
    todo: 'Press Try it on the page Payment methods. If the key is refused, set the one of the provider; if it does not answer, shoppers choose another method, and the shop retries.',
    page: '/payment-methods',
    find: ({ services }) => services && failingProviders(services),
  },
  {
    name: 'webhooks',
    severity: 'warns',
    todo: 'If it was not a stranger, set the webhook secret of the provider. Until then paid orders wait for the next poll.',
    page: '/payment-methods',
    find: ({ services }) => services && refusedWebhooks(services),
  },
  {
    name: 'publishing',
    todo: "See the page Publish. The watcher is the program 'npm run publish:watch'. Until it works, shoppers see the shop as it was published last.",
    page: '/publish',
    async find({ settings, now }) {
      if (!settings?.publishing.hook || !settings.publishing.token) return undefined;
      const answer = await watcherStatus(settings, now);
      if (answer.status === 'failed') return answer.reason;
      const { failure, checkFailure } = answer.value;
      const [reason] = (failure ?? checkFailure ?? '').split('\n');
      return reason && `The shop could not be published: ${reason}`;
    },
  },
  ...PROBES,
  {
    name: 'jobs',
    todo: 'Look for this in the log of the API, and restart the API.',
    find({ services }) {
      const failing = [...(services?.failingJobs ?? [])];
      return (
        failing.length > 0 && {
          problem: `A job of the API fails again and again: ${failing.map(([name]) => name).join('; ')}.`,
          since: Math.min(...failing.map(([, since]) => since)),
        }
      );
    },
  },
  {
    name: 'backup',
    todo: 'Run npm run backup -- FILE every night, as shop-backup.timer does, and keep the files on another machine.',
    async find({ shop, now }) {
      const stored = shop && (await readMeta(shop.db, BACKED_UP_AT));
      if (stored === undefined) return undefined;
      const since = Number(stored);
      const days = Math.floor((now - since) / DAY);
      if (days >= 2) return { problem: `The last backup is ${days} days old.`, since };
      return days < -1 && 'The last backup was made by a clock that was wrong: its age is not known.';
    },
  },
  {
    name: 'clock',
    severity: 'warns',
    todo: 'If a date is wrong, set the clock (timedatectl set-ntp true). Orders placed meanwhile have wrong times.',
    find: ({ shop, now }) => shop && clockProblem(shop.db, now),
  },
];

/** A finding of a shop that is open. */
export interface Alert extends Finding {
  readonly since: number;
}

/** When this process, or one before it, first found each alert. By name, in ms since 1970. */
const firstFound = new WeakMap<Database, Map<string, number>>();

const ROW = 'alerts';

const StoredSchema = json(v.record(v.string(), v.number()));

async function knownAlerts(db: Database): Promise<Map<string, number>> {
  const known = firstFound.get(db);
  if (known) return known;
  const stored = await db.row(NAMED({ name: ROW }), { value: StoredSchema }).catch(() => undefined);
  const read = new Map(Object.entries(stored?.value ?? {}));
  firstFound.set(db, read);
  return read;
}

/**
 * Returns what does not work now. It never fails: if the database is away, that is what it returns. A new alert is
 * logged once, and when it was found is stored, if that is possible.
 */
export async function findAlerts(services: Services): Promise<Alert[]> {
  const { db, settings, clock, log } = services;
  const [now, known] = [clock(), await knownAlerts(db)];
  const store = await storedStore(db).catch(() => undefined);
  const shop = store && { db, store };
  const found = await findingsOf(ALERT_CHECKS, {
    env: settings.environment,
    settings,
    shop,
    services,
    now,
  });
  const names = new Set(found.map(({ name }) => name));
  const before = JSON.stringify(Object.fromEntries(known));
  for (const name of known.keys())
    if (!names.has(name)) {
      known.delete(name);
      log('info', 'alert has ended', { alert: name });
    }
  for (const { name, todo, since = now } of found)
    if (!known.has(name)) {
      known.set(name, since);
      log('error', 'alert', { alert: name, todo });
    }
  const after = JSON.stringify(Object.fromEntries(known));
  if (after !== before)
    await db.write((transaction) => setMeta(transaction, ROW, after)).catch(() => undefined);
  return found.map((each) => ({ ...each, since: each.since ?? Math.min(known.get(each.name) ?? now, now) }));
}

/** In ms. */
const ALERTS_CACHED_FOR = 10_000;

/** The same for strangers and monitoring, who may ask at any rate. */
export const cachedAlerts = cached(findAlerts, ({ db }) => db, new WeakMap(), ALERTS_CACHED_FOR);

/** Such as 'Since 5 January 2026 at 3:30 pm: … 12 emails wait.' */
export const alertText = ({ since, problem, waiting, todo }: Alert): string =>
  `Since ${formatMoment(isoTime(since))}: ${problem}${waitingText(waiting)} ${todo}`;

/** Empty, or a sentence after a space. */
export const waitingText = (waiting: Finding['waiting']): string =>
  waiting && waiting[0] > 0
    ? ` ${plural(waiting[0], waiting[1])} ${waiting[0] === 1 ? 'waits' : 'wait'} for it.`
    : '';
