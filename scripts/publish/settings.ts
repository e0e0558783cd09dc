import * as v from 'valibot';
import { type Environment, parseSettings, type Settings, text, trueFalse } from '#scripts/program/setting.ts';

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
