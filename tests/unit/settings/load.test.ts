import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unknownSettings } from '#scripts/settings/table.ts';

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
