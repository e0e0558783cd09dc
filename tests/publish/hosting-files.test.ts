import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseEnv } from 'node:util';
import * as v from 'valibot';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '#scripts/api/http/node-server.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { unknownSettings } from '#scripts/settings/table.ts';
import { apiEnvironment, caddyfileFor, HOSTING, MACHINES, SHOP } from './support/hosting-files.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { isInstalled } from './support/web-servers.ts';

const hasSystemd = isInstalled('systemd-analyze', '--version');
const hasCaddy = isInstalled('caddy', 'version');
if (!hasSystemd) console.warn('systemd is not installed: the units are not checked here.');
if (!hasCaddy) console.warn('Caddy is not installed: the Caddyfiles are not checked here.');

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
  test.each(units)('%s is one that systemd takes without a remark', (unit) => {
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      [
        'verify',
        '--recursive-errors=no',
        `./${unit.replace('@.', unit.startsWith('shop-api') ? '@8044.' : '@nginx.')}`,
      ],
      { cwd: unitsOfThisFolder(), encoding: 'utf8' },
    );
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  test.each(units.filter((unit) => unit.endsWith('.service')))(
    '%s is exposed less than 2.0 by the measure of systemd-analyze security',
    (unit) => {
      const { status, stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=yes', '--threshold=20', '--no-pager', `./${unit}`],
        { cwd: unitsOfThisFolder(), encoding: 'utf8' },
      );
      expect(status, stdout).toBe(0);
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
  // What systemd does with a line of ExecStart, as far as it matters here.
  for (const line of valuesOf('shop-backup.service', 'ExecStart')) {
    const command = line.replaceAll('%%', '%').replaceAll('$$', '$');
    execFileSync('/bin/sh', ['-c', command], {
      env: { ...process.env, DATABASE: database, STATE_DIRECTORY: backups },
    });
  }
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{6}$/)]);
});

const ProxySchema = v.object({
  health_checks: v.object({ active: v.object({ uri: v.string(), interval: v.number() }) }),
});
const TransportSchema = v.object({ keep_alive: v.object({ idle_timeout: v.number() }) });

/** All values of a key anywhere in Caddy's JSON. */
function found(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...found(inner, key),
  ]);
}

describe.skipIf(!hasCaddy)('the Caddyfiles', () => {
  let release: string;
  beforeAll(async () => {
    const ends: (() => void)[] = [];
    const folder = temporaryFolder((end) => ends.push(end));
    await publishTiny(folder, tinyShop(1));
    release = join(folder, 'current');
    return () => {
      for (const end of ends) end();
    };
  });

  function caddy(machines: (typeof MACHINES)[number], command: string): string {
    const folder = temporaryFolder(onTestFinished);
    const config = join(folder, 'Caddyfile');
    writeFileSync(config, caddyfileFor(machines, { release }));
    return execFileSync('caddy', [command, '--config', config, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  const adapted = (machines: (typeof MACHINES)[number]): unknown => JSON.parse(caddy(machines, 'adapt'));

  test.each(MACHINES)('%s: Caddy takes it', (machines) => {
    expect(caddy(machines, 'validate')).toContain('Valid configuration');
  });

  test.each(MACHINES)('%s: only Caddy itself may change its configuration', (machines) => {
    expect(adapted(machines)).toMatchObject({
      admin: { listen: expect.stringMatching(/^unix\/\/var\/lib\/caddy\//) },
    });
  });

  test.each(MACHINES)('%s: Caddy drops an idle connection before the API does', (machines) => {
    const [transport] = found(adapted(machines), 'transport');
    const { keep_alive } = v.parse(TransportSchema, transport);
    expect(keep_alive.idle_timeout / 1e6).toBeLessThan(createHttpServer(() => undefined).keepAliveTimeout);
  });

  test('three-machines: a stopping process is noticed in less than half of the time for which it still answers', () => {
    const [proxy] = found(adapted('three-machines'), 'health_checks');
    const { active } = v.parse(ProxySchema, { health_checks: proxy }).health_checks;
    const { stopping } = readSettings(apiEnvironment('three-machines'));
    expect(active.uri).toBe('/readyz');
    expect(stopping.delay).toBeGreaterThanOrEqual((2 * active.interval) / 1e6);
  });
});

test('the settings of three machines are settings', () => {
  const file = join(HOSTING, 'three-machines/shop.env');
  expect(unknownSettings(Object.keys(parseEnv(readFileSync(file, 'utf8'))))).toEqual([]);
});
