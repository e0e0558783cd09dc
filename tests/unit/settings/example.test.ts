import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { problemsOf } from '#scripts/program/setting.ts';
import { readPublishSettings, readWatchSettings } from '#scripts/publish/settings.ts';
import { readSiteSettings } from '#scripts/publish/site/site-settings.ts';
import { SETTINGS } from '#scripts/settings/table.ts';

const FILE = 'scripts/settings/shop.env.example';

/** What a setting is in the file, also where it is commented out. */
const allSet = (): NodeJS.Dict<string> =>
  parseEnv(readFileSync(FILE, 'utf8').replaceAll(/^#(?=[A-Z])/gm, ''));

test('the example has each setting once', () => {
  const names = [...readFileSync(FILE, 'utf8').matchAll(/^#?([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

test('a shell and the programs read the same of the example', () => {
  const read = 'set -a; . "$1"; env -0';
  const seen = execFileSync('/bin/sh', ['-c', read, 'sh', FILE], { env: {}, encoding: 'utf8' });
  const shell = new Map(
    seen.split('\0').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  );
  for (const [name, value] of Object.entries(parseEnv(readFileSync(FILE, 'utf8'))))
    expect([name, shell.get(name)]).toEqual([name, value]);
});

test('every program takes the example, and each value that it shows', () => {
  const env = parseEnv(readFileSync(FILE, 'utf8'));
  for (const read of [readSettings, readPublishSettings, readSiteSettings, readWatchSettings])
    expect(() => read(env)).not.toThrow();
  const shown = Object.entries(allSet()).filter(([, value]) => value !== '');
  for (const [name, value] of shown) {
    const row = SETTINGS[name];
    expect(row && problemsOf({ [name]: row }, { [name]: value })).toEqual([]);
  }
});
