import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadEnv } from './load-env.ts';
import { announceAgain, isUnannounced } from './publish/after-switch.ts';
import { messageOf } from './publish/build-error.ts';
import { lastPublished, readHistory } from './publish/history.ts';
import { readManifest } from './publish/manifest.ts';
import { publish } from './publish/publish.ts';
import { currentRelease } from './publish/releases.ts';
import { apiBaseOf, sourceWatch } from './publish/source-version.ts';
import { summaryOf } from './publish/summary.ts';
import { startHookServer } from './publish/watch/hook-server.ts';
import { rebuildQueue } from './publish/watch/rebuild-queue.ts';
import { readWatchSettings } from './publish/watch/settings.ts';
import { watcher } from './publish/watch/watcher.ts';
import { watchWork } from './publish/watch/work.ts';

loadEnv();

const log = (text: string): void => console.log(`${new Date().toISOString()} ${text}`);

const COMMAND_RUN_AGAIN = 'the command after the switch was run again, and succeeded';

async function main(): Promise<void> {
  const settings = readWatchSettings(process.env);
  const root = process.env.PUBLISH_DIR || 'releases';
  const stopping = new AbortController();

  async function build(onSwitch: () => void): Promise<void> {
    log('publishing');
    const { id, announcedAgain } = await publish({
      root,
      allowHeavy: process.env.ALLOW_HEAVY === 'true',
      precompress: process.env.PRECOMPRESS !== 'false',
      signal: stopping.signal,
      onSwitch: (changes) => {
        onSwitch();
        for (const line of summaryOf(changes)) log(line);
      },
    });
    log(id === undefined ? 'nothing has changed' : `release ${id} is live`);
    if (announcedAgain) log(COMMAND_RUN_AGAIN);
  }

  async function runCommandAgain(): Promise<void> {
    if (await announceAgain(root)) log(COMMAND_RUN_AGAIN);
  }

  // We compare with the newest release, not with the live one: a catalogue that an operator rolled back is not
  // published again until it changes.
  const newest = await lastPublished(root);
  const published = newest === undefined ? undefined : await readManifest(join(root, newest));
  const catalogue = watcher(sourceWatch(apiBaseOf(process.env)), published?.sourceVersion);
  const work = watchWork(build, runCommandAgain);
  const queue = rebuildQueue(work.run, (message) => log(message));
  const ask = (why: string): void => {
    log(why);
    work.ask();
    queue.trigger();
  };
  const hook = await startHookServer({
    token: settings.REBUILD_TOKEN,
    host: settings.WATCH_HOST,
    port: settings.WATCH_PORT,
    trigger: () => ask('asked for by the hook'),
    status: async () => ({
      ...queue.state(),
      live: currentRelease(root),
      checkedAt: catalogue.checkedAt(),
      checkFailure: catalogue.failure(),
      releases: await readHistory(root),
    }),
  });
  log(`status at http://${settings.WATCH_HOST}:${hook.port}/status`);
  if (settings.REBUILD_TOKEN === undefined) log('the hook is off: set REBUILD_TOKEN to let others call it');

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      queue.stop();
      stopping.abort();
      hook.close();
    });
  }
  // The last publication ended before its command had told the web server.
  if (isUnannounced(root)) queue.trigger();
  while (!stopping.signal.aborted) {
    if (await catalogue.look()) ask('the catalogue has changed');
    await wait(settings.WATCH_INTERVAL * 1000, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
