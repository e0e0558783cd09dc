import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { problemsOf } from '#scripts/program/setting.ts';
import { readPublishSettings, readWatchSettings } from '#scripts/publish/settings.ts';
import { readSiteSettings } from '#scripts/publish/site/site-settings.ts';
import { SETTINGS, unknownSettings } from '#scripts/settings/table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program of the shop with a settings file. */
function run(file: string, script: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const path = join(folder, 'shop.env');
  writeFileSync(path, file);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH ?? '', SHOP_ENV: path, ...env },
    encoding: 'utf8',
  });
  return { status, told: stdout + stderr };
}

/** Every program that an owner starts, with arguments that need nothing but the settings. */
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ['scripts/api/server.ts'],
  ['scripts/api/commands/backup.ts', 'somewhere'],
  ['scripts/api/commands/catalogue.ts'],
  ['scripts/api/commands/copy.ts', 'somewhere'],
  ['scripts/api/commands/staff.ts', 'list'],
  ['scripts/build.ts'],
  ['scripts/publish-watch.ts'],
  ['scripts/release.ts'],
];

/** Each is wrong for the programs that read it. */
const WRONG = 'PORT=many\nPUBLIC_API_HOST=somewhere\nWATCH_PORT=many\nPUBLIC_IMGAES=passthrough\n';

describe.each(PROGRAMS)('%s', (script, ...args) => {
  test('reads the file that SHOP_ENV names, and names what in it is wrong or no setting', () => {
    const { status, told } = run(WRONG, script, args);
    expect([status, told]).toEqual([
      1,
      expect.stringMatching(/PORT: must be a whole|PUBLIC_API_HOST: must be/),
    ]);
    expect(told).toContain('shop.env: PUBLIC_IMGAES is no setting of the shop.');
    expect(told).not.toContain('    at ');
  });

  test('says which file is missing', () => {
    const { status, told } = run('', script, args, { SHOP_ENV: join(folder, 'other.env') });
    expect([status, told]).toEqual([1, expect.stringContaining('other.env, and there is no such file')]);
    expect(told).not.toContain('    at ');
  });
});

test('the environment counts more than the file', () => {
  const database = join(folder, 'shop.sqlite');
  const { told } = run(
    `DATABASE=${join(folder, 'other.sqlite')}\n`,
    'scripts/api/commands/catalogue.ts',
    ['export', join(folder, 'exported')],
    {
      DATABASE: database,
    },
  );
  expect(told).toContain(database);
  expect(told).not.toContain('other.sqlite');
});

test('what other programs read may stand in the file', () => {
  expect(unknownSettings(['AWS_PROFILE', 'PGSSLMODE', 'NODE_OPTIONS', 'COLOUR'])).toEqual([
    'COLOUR is no setting of the shop.',
  ]);
});

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
