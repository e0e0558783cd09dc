import { PROVIDER_SETTINGS } from '#scripts/api/payments/providers/table.ts';
import { API_SETTINGS, LIMIT_SETTINGS } from '#scripts/api/shop/setting-rows.ts';
import { type Environment, problemsOf, type Settings } from '#scripts/program/setting.ts';
import { PUBLISH_SETTINGS } from '#scripts/publish/settings.ts';
import { ALL_SITE_SETTINGS } from '#scripts/publish/site/site-settings.ts';
import { WATCH_SETTINGS } from '#scripts/publish/watch/settings.ts';

interface Group {
  readonly name: string;
  readonly rows: Settings;
}

/**
 * Every setting of every program. Its row stands where it is read: it has the schema by which it is read, and what
 * shop.env.example says of it. A setting that two programs read is one row, which both name.
 */
export const SETTING_GROUPS: readonly Group[] = [
  { name: 'The API', rows: API_SETTINGS },
  {
    name: 'Ways to be paid. Each provider needs its own only where PAYMENT_PROVIDERS names it.',
    rows: Object.assign({}, ...PROVIDER_SETTINGS),
  },
  { name: 'Releases', rows: PUBLISH_SETTINGS },
  { name: 'The watcher', rows: WATCH_SETTINGS },
  { name: 'What the pages can do', rows: ALL_SITE_SETTINGS },
  { name: 'Limits. A caller who goes over one waits.', rows: LIMIT_SETTINGS },
];

export const SETTINGS: Settings = Object.assign({}, ...SETTING_GROUPS.map(({ rows }) => rows));

/** What is wrong with the settings that are there, a line for each. What only some programs need may be missing. */
export const wrongSettings = (environment: Environment): string[] =>
  problemsOf(
    Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => environment[name]?.trim())),
    environment,
  );
