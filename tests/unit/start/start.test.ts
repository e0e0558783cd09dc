import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { codeHash } from '#scripts/build/code-hash.ts';
import { apiEnvironment, siteSettings } from '#scripts/start/settings.ts';
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
  expect([code, output]).toEqual([1, expect.stringContaining('Port 8044 is taken.')]);
});

test('the site is rebuilt only if a site setting changes', () => {
  const settings = {
    PUBLIC_API_HOST: 'http://192.0.2.7:8044',
    PUBLIC_ORDER_LINES: 'true',
    PUBLIC_PAYMENT_HOSTS: 'pay.example',
    CSP_META: 'true',
  };
  expect(siteSettings({ TERM: 'dumb', ...settings })).toEqual(settings);
});

test.each([
  ...['src/pages/index.astro', 'scripts/serve/server.ts', 'scripts/build/run-astro.ts'],
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
