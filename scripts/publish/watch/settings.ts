import { REBUILD_TOKEN } from '#scripts/program/publishing.ts';
import { type Environment, parseSettings, type Settings, text, whole } from '#scripts/program/setting.ts';

export const WATCH_SETTINGS = {
  WATCH_HOST: { schema: text('127.0.0.1'), meaning: 'Where the watcher can be asked: host and port.' },
  WATCH_PORT: { schema: whole(8055, 0, 65_535), meaning: 'PUBLISH_HOOK is this address.' },
  WATCH_INTERVAL: {
    schema: whole(30, 0, 86_400),
    meaning:
      'Seconds between two looks at the catalogue. 0: the watcher publishes only what it is asked for, as by the button of the office.',
  },
  REBUILD_TOKEN,
} satisfies Settings;

/** @throws SettingsError that names the variable, never the token */
export const readWatchSettings = (env: Environment) => parseSettings(WATCH_SETTINGS, env);
