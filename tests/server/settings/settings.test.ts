import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SettingsError } from '#server/settings/parse.ts';
import { readSettings, SETTINGS, unknownSettings, wrongSettings } from '#server/settings/settings.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { NODE_ARGUMENTS } from '#tests/support/spawn-api.ts';

const EXAMPLE = 'src/server/settings/shop.env.example';
const example = readFileSync(EXAMPLE, 'utf8');

describe('the example', () => {
  test('has each setting of the table once', () => {
    const names = [...example.matchAll(/^#?([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  });

  test('is valid, and so is each value that it shows', () => {
    expect(() => readSettings(parseEnv(example))).not.toThrow();
    expect(wrongSettings(parseEnv(example.replaceAll(/^#(?=[A-Z])/gm, '')))).toEqual([]);
  });

  test('means the same to a shell', () => {
    const output = execFileSync('/bin/sh', ['-c', `set -a; . ${EXAMPLE}; env -0`], {
      env: {},
      encoding: 'utf8',
    });
    const shell = Object.fromEntries(output.split('\0').map((line) => line.split(/=(.*)/s, 2)));
    expect(shell).toMatchObject(parseEnv(example));
  });
});

/** Runs a program of the shop with a settings file. */
function run([script, ...args]: readonly [string, ...string[]], file: string, env: NodeJS.Dict<string> = {}) {
  const path = join(temporaryFolder(), 'shop.env');
  writeFileSync(path, file);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE_ARGUMENTS, script, ...args], {
    env: { PATH: process.env.PATH, SHOP_ENV: path, ...env },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Every program that an owner starts, with arguments that need nothing but the settings. All commands read them in one place. */
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ['src/server/server.ts'],
  ['src/server/commands.ts', 'staff', 'list'],
  ['scripts/build.ts'],
  ['scripts/publish-watch.ts'],
  ['scripts/release.ts'],
];

test.each(PROGRAMS)('%s names the invalid and unknown settings of the file', (script, ...args) => {
  const file = 'PORT=many\nPUBLIC_API_HOST=somewhere\nWATCH_PORT=many\nPUBLIC_IMGAES=passthrough\n';
  const { status, output } = run([script, ...args], file);
  expect([status, output]).toEqual([1, expect.stringMatching(/PORT: must be a whole|PUBLIC_API_HOST: must/)]);
  expect(output).toContain('shop.env: PUBLIC_IMGAES is no setting of the shop.');
  expect(output).not.toContain('    at ');
});

test('names a missing settings file', () => {
  const { status, output } = run(['src/server/server.ts'], '', { SHOP_ENV: 'other.env' });
  expect([status, output]).toEqual([1, 'SHOP_ENV names other.env, and there is no such file.\n']);
});

test('the environment wins over the file', () => {
  const file = 'DATABASE=in-the-file.sqlite\n';
  const { output } = run(['src/server/commands.ts', 'staff', 'list'], file, {
    DATABASE: 'of-the-environment.sqlite',
  });
  expect(output).toContain('no database of a shop at of-the-environment.sqlite');
});

test('the file may have variables of other programs', () => {
  expect(unknownSettings(['AWS_PROFILE', 'PGSSLMODE', 'NODE_OPTIONS', 'COLOUR'])).toEqual([
    'COLOUR is no setting of the shop.',
  ]);
});

describe('the API', () => {
  test('[architecture · interfaces] has the documented defaults', () => {
    expect(readSettings({ DATABASE: '' })).toMatchObject({
      port: 8044,
      database: '.data/shop.sqlite',
      catalogue: 'scripts/demo',
      siteOrigins: ['http://localhost:4321', 'http://127.0.0.1:4321'],
      apiOrigin: undefined,
      orders: { listed: 50, payableFor: 2 * 24 * 60 * 60_000, prefix: undefined },
      stopping: { delay: 0, limit: 4_000 },
    });
  });

  test.each([
    [{ PORT: ' 80 ' }, { port: 80 }],
    [{ SITE_ORIGIN: 'https://a.in/, https://b.in' }, { siteOrigins: ['https://a.in', 'https://b.in'] }],
    [{ TRUST_PROXY: '::1, 10.0.0.0/8,fd00::/8' }, { trustedProxies: ['::1', '10.0.0.0/8', 'fd00::/8'] }],
    [{ LIMIT_FACTOR: '7' }, { limitFactor: 7 }],
    [{ DATABASE: 'C:\\shop\\shop.sqlite' }, { database: 'C:\\shop\\shop.sqlite' }],
    [{ DATABASE: 'postgres://localhost/shop' }, { database: 'postgres://localhost/shop' }],
    [{ PUBLIC_API_HOST: 'https://api.shop.example/' }, { apiOrigin: 'https://api.shop.example' }],
    [{ PUBLIC_API_HOST: 'https://b.in', API_ORIGIN: 'https://a.in' }, { apiOrigin: 'https://a.in' }],
  ])('reads %j', (environment, settings) => expect(readSettings(environment)).toMatchObject(settings));

  test.each([
    [{ PORT: '99999' }, 'PORT: must be at most 65535'],
    [{ PORT: '8e3' }, 'PORT: must be a whole number'],
    [{ LIMIT_FACTOR: '0' }, 'LIMIT_FACTOR: must be at least 1'],
    [{ SITE_ORIGIN: '*' }, 'SITE_ORIGIN.0: must be an origin such as https://shop.example'],
    [{ API_ORIGIN: 'https://a.example/path' }, 'API_ORIGIN: must be an origin'],
    [{ TRUST_PROXY: '10.0.0.1, 10.0.0.0/33' }, 'TRUST_PROXY.1: must be an address or a network'],
    [{ TRUST_PROXY: '10.0.0.0/' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ TRUST_PROXY: 'fe80::1%eth0' }, 'TRUST_PROXY.0: must be an address or a network'],
    [{ DATABASE: 'mysql://localhost' }, 'DATABASE: must be a file, :memory: or postgres://user@host/name'],
    [{ DATABASE: 'file:shop.sqlite' }, 'DATABASE: must be a file'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM: must be set where SMTP_URL is'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: must have at least 16 characters'],
  ])('refuses %j with the name and the reason', (environment, problem) => {
    expect(() => readSettings(environment)).toThrow(SettingsError);
    expect(() => readSettings(environment)).toThrow(problem);
  });

  test.each([
    [{}, 'SANDBOX_GATEWAY: must be on in production'],
    [{ SANDBOX_GATEWAY: 'off', PAYMENT_PROVIDERS: 'cod,sandbox' }, 'SANDBOX_GATEWAY: must be on in prod'],
    [{ SANDBOX_GATEWAY: 'yes' }, 'SANDBOX_GATEWAY: must be on or off'],
  ])('refuses %j in production', (environment, problem) =>
    expect(() => readSettings({ NODE_ENV: 'production', ...environment })).toThrow(problem),
  );

  test.each([
    [{}, true],
    [{ NODE_ENV: 'production', SANDBOX_GATEWAY: 'on' }, true],
    [{ NODE_ENV: 'production', SANDBOX_GATEWAY: 'off' }, false],
    [{ NODE_ENV: 'production', PAYMENT_PROVIDERS: 'cod' }, false],
  ])('with %j the sandbox takes payments: %s', (environment, isOn) =>
    expect(readSettings(environment).paymentProviders.includes('sandbox')).toBe(isOn),
  );

  test('does not repeat a secret', () => {
    expect(() => readSettings({ METRICS_TOKEN: 'hush' })).toThrow(/^(?!.*hush).*METRICS_TOKEN/s);
  });
});
