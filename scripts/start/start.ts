import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { codeHash } from '#scripts/build/code-hash.ts';
import { type Published, type PublishOptions, publish } from '#scripts/publish/publish.ts';
import { SITE } from '#scripts/publish/release/releases.ts';
import { startWatcher } from '#scripts/publish/watch/start-watcher.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { startApi } from '#server/app/start.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import type { Database } from '#server/db/database.ts';
import { shownAddress } from '#server/db/open-database.ts';
import { systemClock } from '#server/process/clock.ts';
import { BuildError, ExplainedError, runProgram } from '#server/process/explained-error.ts';
import type { Log } from '#server/process/log.ts';
import { CURRENT, currentRelease } from '#server/process/publishing.ts';
import { capabilitiesOf } from '#server/services/capabilities.ts';
import { loadSettings } from '#server/settings/load.ts';
import { PORTS, readSettings } from '#server/settings/settings.ts';
import { createOwnerLink } from '#server/staff/command.ts';
import { apiEnvironment, hostOf, requireFreePorts, siteSettings } from './settings.ts';

/*
 * `npm start` runs the whole shop on this machine. With SITE_ORIGIN and PUBLIC_API_HOST set to its address in the
 * network, a phone there can open it too. `npm start -- --provider=cashfree` runs a fake of that payment provider.
 */

const RELEASES = '.cache/shop-releases';

const KEY_FILE = '.cache/shop.key';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Prints only the log entries that matter at a terminal. */
const printLog: Log = (level, event, fields = {}) => {
  if (level === 'error') process.stderr.write(`API: ${event} ${JSON.stringify(fields)}\n`);
  if (event === 'payment started' && fields.sandbox)
    print(`Payment started. Choose how it ends: ${fields.sandbox}`);
};

/** Returns a text that changes with everything in the built site: code, build settings, catalogue, capabilities. */
async function keyOf(db: Database): Promise<string> {
  const settings = siteSettings(process.env);
  const capabilities = capabilitiesOf(readSettings(apiEnvironment(process.env)));
  return JSON.stringify([codeHash(settings), settings, await catalogueVersion(db), capabilities]);
}

/** PUBLISH_AFTER is for the releases of a real server, not for those of the demo shop. */
const publishEnvironment = () => ({ ...process.env, ...siteSettings(process.env), PUBLISH_AFTER: '' });

/** Publishes the content of the database, and writes the key of what was published into KEY_FILE. */
async function publishShop(
  db: Database,
  options: Pick<PublishOptions, 'signal' | 'onSwitch' | 'onPhase' | 'allowShrink'>,
): Promise<Published> {
  // The key is read before the build. A change during the build may be missing in it, and is published next time.
  const key = await keyOf(db);
  await rm(KEY_FILE, { force: true });
  const published = await publish({ root: RELEASES, env: publishEnvironment(), ...options });
  await writeFile(KEY_FILE, key);
  return published;
}

async function publishIfChanged(db: Database, signal: AbortSignal): Promise<void> {
  const key = await readFile(KEY_FILE, 'utf8').catch(() => '');
  if (currentRelease(RELEASES) !== undefined && key === (await keyOf(db))) {
    print('2/3  Site: nothing changed since it was published.');
    return;
  }
  print('2/3  Site: publishing ...');
  const since = performance.now();
  const { changes } = await publishShop(db, { signal, allowShrink: true });
  print(`2/3  Site: published in ${secondsSince(since)}; ${changes.pagesWritten} pages are new or changed.`);
}

/** The admin opens over plain http on this machine alone, whatever address the shop has in the network. */
async function adminLine(db: Database): Promise<string> {
  const apiOrigin = `http://localhost:${PORTS.api}`;
  const settings = readSettings(apiEnvironment(process.env));
  const link = await createOwnerLink({ db, clock: systemClock, settings, apiOrigin });
  return link === undefined
    ? `Admin: ${apiOrigin}/admin`
    : `Admin: ${link}\n     (opens once, within 15 minutes, to choose the owner's password)`;
}

const FAKE_PROVIDERS = 'tests/support/providers/pages.ts';

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ url: v.string(), environment: v.record(v.string(), v.string()) }),
);

/**
 * Starts a fake payment provider in its own process. `url` is a page that lists the open payments, `environment` the
 * shop's settings for it.
 * @throws ExplainedError if there is none of this name
 */
async function startFakeProvider(name: string, apiOrigin: string) {
  const child = spawn(process.execPath, [FAKE_PROVIDERS, name, apiOrigin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, environment } = v.parse(LineSchema, line);
    const close = async () => void child.kill();
    return { url, environment: { ...environment, PAYMENT_PROVIDERS: `${name},cod` }, close };
  }
  throw new ExplainedError(`The fake of '${name}' does not start.`);
}

/** Starts the servers, and adds them to the stack. Returns where the data is stored. @throws if the signal aborts */
async function startShop(
  provider: string | undefined,
  servers: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<string> {
  const keep = async <S extends { close(): Promise<void> }>(starting: Promise<S>): Promise<S> => {
    const server = servers.adopt(await starting, ({ close }) => close());
    signal.throwIfAborted();
    return server;
  };
  const started = performance.now();
  const host = hostOf(process.env);
  await requireFreePorts(PORTS, host);
  const apiOrigin = siteSettings(process.env).PUBLIC_API_HOST;
  const fake = provider && (await keep(startFakeProvider(provider, apiOrigin ?? '')));
  if (fake) print(`     A fake of ${provider} takes the payments: ${fake.url} lists them.`);
  const environment = fake ? { ...process.env, ...fake.environment } : process.env;
  const settings = { ...readSettings(apiEnvironment(environment)), host };
  let db: Database | undefined;
  const token = randomBytes(32).toString('hex');
  const watcher = await keep(
    startWatcher({
      root: RELEASES,
      token,
      host: '127.0.0.1',
      port: 0,
      // An editor's changes go live only on 'Publish'.
      interval: 0,
      env: publishEnvironment(),
      log: () => {},
      publish: async (options) => {
        if (!db) throw new BuildError('The shop is still starting.');
        return publishShop(db, options);
      },
    }),
  );
  const publishing = { hook: `http://127.0.0.1:${watcher.port}`, token };
  const api = await keep(startApi({ ...settings, publishing, apiOrigin, log: printLog, signal }));
  const place = shownAddress(settings.database);
  print(`1/3  API: ${apiOrigin}/api/v1, its database is ${place}.`);

  await publishIfChanged(api.db, signal);
  db = api.db;
  const directory = join(RELEASES, CURRENT, SITE);
  await keep(serveSite({ directory, port: PORTS.site, ...(host ? { host } : {}) }));
  const [siteOrigin] = settings.siteOrigins;
  print(`3/3  Shop: ${siteOrigin}  (ready after ${secondsSince(started)}; Ctrl-C stops it)`);
  if (settings.admin) print(`     ${await adminLine(api.db)}`);
  return settings.database === ':memory:' ? '' : ` Customers and orders are stored in ${place}.`;
}

runProgram(async () => {
  loadSettings();
  const { values } = parseArgs({ options: { provider: { type: 'string' } } });
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => print('\nStopping ...'));
  // A second signal must not end the program before its servers have closed.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  let dataNote = '';
  {
    await using servers = new AsyncDisposableStack();
    try {
      dataNote = await startShop(values.provider, servers, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  }
  print(`Stopped.${dataNote}`);
});
