import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from '#server/http/node-server.ts';
import { readSettings, unknownSettings } from '#server/settings/settings.ts';
import { apiEnvironment, HOSTING, MACHINES, SHOP } from './support/hosting-files.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { isInstalled } from './support/web-servers.ts';

const hasSystemd = isInstalled('systemd-analyze', '--version');

const units = readdirSync(HOSTING).filter((name) => /\.(service|timer|path)$/.test(name));

/** A folder with the units, in which the shop's folder is this one. */
function unitsOfThisFolder(): string {
  const folder = temporaryFolder();
  cpSync(HOSTING, folder, { recursive: true });
  for (const unit of units) {
    const file = join(folder, unit);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`${SHOP}/app`, process.cwd()));
  }
  return folder;
}

/** All values of a key of a unit. */
const valuesOf = (unit: string, key: string): string[] =>
  [...readFileSync(join(HOSTING, unit), 'utf8').matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  );

describe.skipIf(!hasSystemd)('the units', () => {
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, {
      cwd: unitsOfThisFolder(),
      encoding: 'utf8',
    });
    return [status, stdout + stderr] as const;
  };

  test.each(units)('%s is one that systemd takes without a remark', (unit) => {
    const instance = unit.replace('@.', unit.startsWith('shop-api') ? '@8044.' : '@nginx.');
    expect(analyze('verify', '--recursive-errors=no', `./${instance}`)).toEqual([0, '']);
  });

  test.each(units.filter((unit) => unit.endsWith('.service')))(
    '%s is exposed less than 2.0 by the measure of systemd-analyze security',
    (unit) => {
      const [status, report] = analyze(
        'security',
        '--offline=yes',
        '--threshold=20',
        '--no-pager',
        `./${unit}`,
      );
      expect(status, report).toBe(0);
    },
  );
});

test.each(MACHINES)(
  '%s: the API takes the settings, and systemd waits for as long as a stop may take',
  (machines) => {
    const { stopping } = readSettings(apiEnvironment(machines));
    const seconds = Number(valuesOf('shop-api@.service', 'TimeoutStopSec'));
    expect(seconds * 1_000).toBeGreaterThan(stopping.delay + stopping.limit);
  },
);

test('the backup writes a file that is named by the time, and deletes old ones', () => {
  const folder = temporaryFolder();
  const database = join(folder, 'shop.sqlite');
  new DatabaseSync(database).exec('CREATE TABLE orders (number INTEGER)');
  const backups = join(folder, 'backups');
  execFileSync('mkdir', [backups]);
  writeFileSync(join(backups, 'old'), '');
  execFileSync('touch', ['-d', '16 days ago', join(backups, 'old')]);
  // Expands ExecStart as systemd does, as far as it matters here.
  for (const line of valuesOf('shop-backup.service', 'ExecStart')) {
    const command = line.replaceAll('%%', '%').replaceAll('$$', '$');
    execFileSync('/bin/sh', ['-c', command], {
      env: { ...process.env, DATABASE: database, STATE_DIRECTORY: backups },
    });
  }
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{6}$/)]);
});

test.each(MACHINES)(
  '%s: only Caddy itself may change its configuration, and it drops an idle connection before the API does',
  (machines) => {
    const text = readFileSync(join(HOSTING, machines, 'Caddyfile'), 'utf8');
    expect(text).toMatch(/^\tadmin unix\/\/var\/lib\/caddy\//m);
    const [, seconds] = /^\t\t\tkeepalive (\d+)s$/m.exec(text) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(createHttpServer(() => undefined).keepAliveTimeout);
  },
);

test('the settings of three machines are settings', () => {
  const file = join(HOSTING, 'three-machines/shop.env');
  expect(unknownSettings(Object.keys(parseEnv(readFileSync(file, 'utf8'))))).toEqual([]);
});
