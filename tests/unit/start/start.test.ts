import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { codeHash } from '#scripts/build/code-hash.ts';
import { createServers } from '#scripts/start/servers.ts';
import { apiEnvironment, type SiteParts, siteKey, siteSettings } from '#scripts/start/settings.ts';
import { readSettings } from '#server/settings/settings.ts';
import { temporaryFolder, writeFiles } from '#tests/publish/support/temporary-folder.ts';
import { NODE_ARGUMENTS } from '#tests/support/spawn-api.ts';

/** Occupies the port, unless it is already in use. */
const occupy = async (port: number): Promise<void> => {
  const server = createServer().listen({ port, host: '127.0.0.1' });
  await once(server, 'listening').catch(() => undefined);
  if (server.listening) onTestFinished(() => void server.close());
};

test('a port in use is reported, with advice', async () => {
  await occupy(8044);
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, 'scripts/start/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], output] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  expect([code, output]).toEqual([1, expect.stringContaining('Port 8044 is taken, and the API needs it.')]);
});

const keyWith = (
  env: Record<string, string> = {},
  { version = 'v1', capabilities = [] }: Partial<Pick<SiteParts, 'version' | 'capabilities'>> = {},
): string => siteKey({ settings: siteSettings(env), version, capabilities });

test('the site is rebuilt only if a site setting, the catalogue or the API’s capabilities change', () => {
  const settings = {
    PUBLIC_API_HOST: 'http://192.0.2.7:8044',
    PUBLIC_ORDER_LINES: 'true',
    PUBLIC_PAYMENT_HOSTS: 'pay.example',
    PUBLIC_SERVICE_WORKER: 'off',
    PUBLIC_IMAGES: 'passthrough',
    PUBLIC_API_TEST: 'false',
    CSP_META: 'true',
  };
  const keys = Object.entries(settings).map(([name, value]) => keyWith({ [name]: value }));
  keys.push(keyWith(), keyWith({}, { version: 'v2' }), keyWith({}, { capabilities: ['orderLines'] }));
  expect(new Set(keys).size).toBe(keys.length);
  const reversed = Object.fromEntries(Object.entries(settings).reverse());
  expect(keyWith({ TERM: 'dumb', ...reversed })).toBe(keyWith(settings));
});

test.each([
  ...['src/pages/index.astro', 'scripts/serve/handler.ts', 'scripts/build/run-astro.ts'],
  ...['astro.config.mjs', 'package-lock.json'],
])('the site is rebuilt if %s changes', async (file) => {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a': '', 'scripts/a': '', 'public/a': '' });
  const before = codeHash({}, root);
  writeFiles(root, { [file]: 'changed' });
  expect(codeHash({}, root)).not.toBe(before);
});

test('CORS allows every given address of the site, and the first is printed', () => {
  const origins = (SITE_ORIGIN?: string) => readSettings(apiEnvironment({ SITE_ORIGIN })).siteOrigins;
  const own = ['http://localhost:4321', 'http://127.0.0.1:4321'];
  expect(origins('http://192.0.2.7:4321/, https://shop.example')).toEqual([
    'http://192.0.2.7:4321',
    'https://shop.example',
    ...own,
  ]);
  expect(origins()).toEqual(own);
});

test('stopping also closes servers that are still starting, and starts no more', async () => {
  const servers = createServers();
  const closed: string[] = [];
  const server = (name: string) => ({
    close: async () => {
      closed.push(name);
    },
  });
  await servers.start(async () => server('first'));
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof server>>();
  const starting = servers.start(() => promise);
  starting.catch(() => undefined);
  const stopped = servers.stop();
  resolve(server('second'));
  await expect(starting).rejects.toThrow('aborted');
  await stopped;
  expect(closed).toEqual(['first', 'second']);
  const third = vi.fn(async () => server('third'));
  await expect(servers.start(third)).rejects.toThrow('aborted');
  expect(third).not.toHaveBeenCalled();
});

test('stopping does not wait for a server that could not start', async () => {
  const servers = createServers();
  await expect(servers.start(() => Promise.reject(new Error('no port')))).rejects.toThrow('no port');
  await servers.stop();
  expect(servers.signal.aborted).toBe(true);
});
