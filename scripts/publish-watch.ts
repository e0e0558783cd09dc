import { runProgram, stopSignal } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH, WATCH } from '#server/settings/settings.ts';
import { publish } from './publish/publish.ts';
import { startWatcher } from './publish/watch/start-watcher.ts';

const log = (text: string): void => console.log(`${new Date().toISOString()} ${text}`);

runProgram(async () => {
  loadSettings();
  const settings = parseSettings(WATCH, process.env);
  const { PUBLISH_DIR: root } = parseSettings(PUBLISH, process.env);
  const watcher = await startWatcher({
    root,
    token: settings.REBUILD_TOKEN,
    host: settings.WATCH_HOST,
    port: settings.WATCH_PORT,
    interval: settings.WATCH_INTERVAL,
    env: process.env,
    log,
    publish: (options) => publish({ root, ...options }),
  });
  log(
    settings.REBUILD_TOKEN === undefined
      ? 'the hook is off: set REBUILD_TOKEN to call it and to see the status'
      : `status at http://${settings.WATCH_HOST}:${watcher.port}/status`,
  );
  stopSignal().addEventListener('abort', watcher.close);
});
