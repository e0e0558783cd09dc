import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Log } from './api/log.ts';
import { readSettings } from './api/settings.ts';
import { type RunningApi, startApi } from './api/start.ts';
import { messageOf } from './publish/build-error.ts';
import { buildSite } from './publish/build-site.ts';
import { type SiteServer, serveSite } from './serve/server.ts';
import { isPortFree } from './start/port.ts';
import { siteKey } from './start/site-key.ts';

/*
 * The whole shop on this computer. With SITE_ORIGIN and PUBLIC_API_HOST set to this computer's address in the
 * network, a phone there can open it too.
 */
const API_PORT = 8044;
const SITE_PORT = 4321;
const OUT_DIR = '.cache/shop';
const KEY_FILE = '.cache/shop.key';

if (existsSync('.env')) process.loadEnvFile('.env');

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const { SITE_ORIGIN, PUBLIC_API_HOST } = process.env;
/** Other computers get in only when the shop was given an address for them. */
const host = process.env.HOST ?? (SITE_ORIGIN || PUBLIC_API_HOST ? undefined : '127.0.0.1');
const apiOrigin = (PUBLIC_API_HOST || `http://localhost:${API_PORT}`).replace(/\/+$/, '');
const siteOrigin = SITE_ORIGIN?.split(',')[0]?.trim() || `http://localhost:${SITE_PORT}`;

const started = performance.now();
const stopping = new AbortController();
const running: (RunningApi | SiteServer)[] = [];

const stop = async (): Promise<void> => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  say('\nStopping ...');
  await Promise.all(running.map((server) => server.close()));
  say('Stopped. Users and orders are kept in .data/shop.sqlite.');
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

const fail = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

/** Of all the API logs, what the person at the terminal wants to know. */
const tell: Log = (level, event, fields = {}) => {
  if (level === 'error') process.stderr.write(`API: ${event} ${JSON.stringify(fields)}\n`);
  if (event === 'payment started') say(`Payment started. Say how it ends: ${fields.sandbox}`);
};

const bringSite = async (): Promise<void> => {
  const env = { PUBLIC_API_HOST: apiOrigin, PUBLIC_IDEMPOTENCY_KEYS: 'true' };
  const key = await siteKey(env);
  if ((await readFile(KEY_FILE, 'utf8').catch(() => '')) === key) {
    say('2/3  Site: nothing changed since it was built.');
    return;
  }
  await rm(KEY_FILE, { force: true });
  say('2/3  Site: building ...');
  const since = performance.now();
  const { pages } = await buildSite({
    target: OUT_DIR,
    env: { ...process.env, ...env },
    signal: stopping.signal,
  });
  await writeFile(KEY_FILE, key);
  say(`2/3  Site: ${pages} pages built in ${seconds(since)}.`);
};

const start = async (): Promise<void> => {
  for (const [port, name] of [
    [API_PORT, 'API'],
    [SITE_PORT, 'site'],
  ] as const) {
    if (!(await isPortFree(port, host))) {
      return fail(
        `Port ${port} is taken, and the ${name} needs it. Is the shop running already? Stop it and start again.`,
      );
    }
  }
  const siteOrigins = [
    ...new Set([siteOrigin, `http://localhost:${SITE_PORT}`, `http://127.0.0.1:${SITE_PORT}`]),
  ];
  const settings = readSettings({
    ...process.env,
    SITE_ORIGIN: siteOrigins.join(','),
    PORT: String(API_PORT),
  });
  const api = await startApi({
    ...settings,
    host,
    apiOrigin,
    log: tell,
  });
  running.push(api);
  say(`1/3  API: ${apiOrigin}/api/v1, its database is ${settings.database}.`);

  await bringSite();
  if (stopping.signal.aborted) return;
  running.push(await serveSite({ directory: OUT_DIR, port: SITE_PORT, ...(host ? { host } : {}) }));
  say(`3/3  Shop: ${siteOrigin}  (ready after ${seconds(started)}; Ctrl-C stops it)`);
};

start().catch(async (error: unknown) => {
  if (stopping.signal.aborted) return;
  fail(messageOf(error));
  await stop();
});
