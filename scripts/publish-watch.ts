import { messageOf } from '#scripts/program/explained-error.ts';
import { loadEnv } from '#scripts/program/load-env.ts';
import { publish } from './publish/publish.ts';
import { readWatchSettings } from './publish/watch/settings.ts';
import { startWatcher } from './publish/watch/start-watcher.ts';

loadEnv();

const log = (text: string): void => console.log(`${new Date().toISOString()} ${text}`);

async function main(): Promise<void> {
  const settings = readWatchSettings(process.env);
  const root = process.env.PUBLISH_DIR || 'releases';
  const watcher = await startWatcher({
    root,
    token: settings.REBUILD_TOKEN,
    host: settings.WATCH_HOST,
    port: settings.WATCH_PORT,
    interval: settings.WATCH_INTERVAL,
    env: process.env,
    log,
    publish: (options) =>
      publish({
        root,
        allowHeavy: process.env.ALLOW_HEAVY === 'true',
        precompress: process.env.PRECOMPRESS !== 'false',
        ...options,
      }),
  });
  log(
    settings.REBUILD_TOKEN === undefined
      ? 'the hook is off: set REBUILD_TOKEN to call it, and to see the status'
      : `status at http://${settings.WATCH_HOST}:${watcher.port}/status`,
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, watcher.close);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
