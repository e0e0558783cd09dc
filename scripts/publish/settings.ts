import * as v from 'valibot';
import { REBUILD_TOKEN } from '#scripts/program/publishing.ts';
import {
  type Environment,
  parseSettings,
  type Settings,
  text,
  trueFalse,
  whole,
} from '#scripts/program/setting.ts';

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

const isTrue = (fallback: 'true' | 'false') =>
  v.pipe(
    v.optional(trueFalse, fallback),
    v.transform((value) => value === 'true'),
  );

/** The settings of `npm run release`, `npm run build` and the watcher. What the pages depend on: site/site-settings.ts. */
export const PUBLISH_SETTINGS = {
  PUBLISH_DIR: {
    schema: text('releases'),
    meaning: 'The folder of the releases, on the same disk as the code.',
  },
  PUBLISH_AFTER: {
    schema: text(''),
    meaning:
      'A command after each switch to another release, such as one that lets the web server read its new configuration, or an upload. Its words are divided by spaces, and no shell runs it. It finds RELEASE_ID and RELEASE_SITE.',
  },
  ALLOW_HEAVY: { schema: isTrue('false'), meaning: 'true: pages may weigh more than their byte budget.' },
  PRECOMPRESS: {
    schema: isTrue('true'),
    meaning: 'false: no .br, .gz and .dcz files, and no dictionary, for hosts that compress by themselves.',
  },
  OUT_DIR: { schema: text('dist'), meaning: 'Where `npm run build` writes the site.' },
} satisfies Settings;

/** @throws SettingsError */
export const readPublishSettings = (env: Environment) => parseSettings(PUBLISH_SETTINGS, env);
