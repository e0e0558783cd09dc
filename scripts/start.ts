import { readFile, rm, writeFile } from 'node:fs/promises';
import { CatalogueError } from './api/catalogue/read.ts';
import { storedVersion } from './api/catalogue/version.ts';
import { systemClock } from './api/clock.ts';
import type { Database } from './api/db/database.ts';
import { shownAddress } from './api/db/open-database.ts';
import { randomIds } from './api/ids.ts';
import type { Log } from './api/log.ts';
import { linkForOwner } from './api/office/staff/owner-link.ts';
import { readSettings, SettingsError } from './api/settings.ts';
import { startApi } from './api/start.ts';
import { loadEnv } from './load-env.ts';
import { messageOf } from './publish/build-error.ts';
import { buildSite } from './publish/build-site.ts';
import { serveSite } from './serve/server.ts';
import { takenPortMessage } from './start/port.ts';
import { createServers } from './start/servers.ts';
import { apiEnvironment, hostOf, PORTS, siteSettings } from './start/settings.ts';
import { type SiteParts, siteKey } from './start/site-key.ts';

/*
 * `npm start` runs the whole shop on this computer. With SITE_ORIGIN and PUBLIC_API_HOST set to this computer's address
 * in the network, a phone in that network can open it too.
 */
const OUT_DIR = '.cache/shop';
const KEY_FILE = '.cache/shop.key';

loadEnv();

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const started = performance.now();
const servers = createServers();
let dataNote = '';

const stop = async (): Promise<void> => {
  if (servers.signal.aborted) return;
  say('\nStopping ...');
  await servers.stop();
  say(`Stopped.${dataNote}`);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

const fail = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

/** Prints only the log entries that the person at the terminal wants to know. */
const printLog: Log = (level, event, fields = {}) => {
  if (level === 'error') process.stderr.write(`API: ${event} ${JSON.stringify(fields)}\n`);
  if (event === 'payment started') say(`Payment started. Say how it ends: ${fields.sandbox}`);
};

const buildSiteIfChanged = async (parts: SiteParts): Promise<void> => {
  const key = await siteKey(parts);
  if ((await readFile(KEY_FILE, 'utf8').catch(() => '')) === key) {
    say('2/3  Site: nothing changed since it was built.');
    return;
  }
  await rm(KEY_FILE, { force: true });
  say('2/3  Site: building ...');
  const since = performance.now();
  const { pages } = await buildSite({
    target: OUT_DIR,
    env: { ...process.env, ...parts.settings },
    signal: servers.signal,
  });
  await writeFile(KEY_FILE, key);
  say(`2/3  Site: ${pages} pages built in ${seconds(since)}.`);
};

/** The office opens over plain http on this computer alone, whatever address the shop has in the network. */
const officeLine = async (db: Database): Promise<string> => {
  const origin = `http://localhost:${PORTS.api}`;
  const link = await linkForOwner({ db, clock: systemClock, ids: randomIds, origin });
  return link === undefined
    ? `Office: ${origin}/office`
    : `Office: ${link}\n     (opens once, within 15 minutes, to choose the owner's password)`;
};

const start = async (): Promise<void> => {
  const host = hostOf(process.env);
  const settings = { ...readSettings(apiEnvironment(process.env)), host };
  const buildSettings = siteSettings(process.env);
  const portProblem = await takenPortMessage(PORTS, host);
  if (portProblem) return fail(portProblem);
  const apiOrigin = buildSettings.PUBLIC_API_HOST;
  const api = await servers.start(() =>
    startApi({ ...settings, apiOrigin, log: printLog, signal: servers.signal }),
  );
  const { database, catalogue } = settings;
  if (database !== ':memory:') dataNote = ` Users and orders are kept in ${shownAddress(database)}.`;
  say(`1/3  API: ${apiOrigin}/api/v1, its database is ${shownAddress(database)}.`);

  await buildSiteIfChanged({ settings: buildSettings, version: await storedVersion(api.db), catalogue });
  await servers.start(() => serveSite({ directory: OUT_DIR, port: PORTS.site, ...(host ? { host } : {}) }));
  const [siteOrigin] = settings.siteOrigins;
  say(`3/3  Shop: ${siteOrigin}  (ready after ${seconds(started)}; Ctrl-C stops it)`);
  if (settings.office) say(`     ${await officeLine(api.db)}`);
};

start().catch(async (error: unknown) => {
  if (servers.signal.aborted) return;
  fail(error instanceof SettingsError || error instanceof CatalogueError ? error.message : messageOf(error));
  await stop();
});
