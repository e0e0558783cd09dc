import { PROVIDER_SETTINGS } from '#scripts/api/payments/providers/table.ts';
import { API_SETTINGS, LIMIT_SETTINGS } from '#scripts/api/shop/setting-rows.ts';
import { type Environment, problemsOf, type Settings } from '#scripts/program/setting.ts';
import { PUBLISH_SETTINGS, WATCH_SETTINGS } from '#scripts/publish/settings.ts';
import { ALL_SITE_SETTINGS } from '#scripts/publish/site/site-settings.ts';

/** Every setting of every program. Its row is where it is read; one that two programs read is one row. */
export const SETTINGS: Settings = Object.assign(
  {},
  API_SETTINGS,
  ...PROVIDER_SETTINGS,
  PUBLISH_SETTINGS,
  WATCH_SETTINGS,
  ALL_SITE_SETTINGS,
  LIMIT_SETTINGS,
);

/** Variables of other programs that may be in the file, because PUBLISH_AFTER or pg_dump reads them. */
const OTHERS = /^(AWS|PG|NODE|SSL)_?[A-Z_]+$/;

/** A line for each name that is no setting of the shop. */
export const unknownSettings = (names: readonly string[]): string[] =>
  names
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !OTHERS.test(name))
    .map((name) => `${name} is no setting of the shop.`);

/** What is wrong with the settings that are there, a line for each. What only some programs need may be missing. */
export const wrongSettings = (environment: Environment): string[] =>
  problemsOf(
    Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => environment[name]?.trim())),
    environment,
  );
