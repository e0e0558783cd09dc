import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isPortFree } from '#scripts/start/port.ts';
import { siteKey } from '#scripts/start/site-key.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Takes a port; one that is taken already will do. */
const occupy = async (port: number): Promise<void> => {
  const server = createServer().listen({ port, host: '127.0.0.1' });
  await Promise.race([once(server, 'listening'), once(server, 'error').then(() => undefined)]).catch(
    () => undefined,
  );
  if (server.listening) cleanups.push(() => once(server.close(), 'close'));
};

test('a port that is taken is told, with what to do', async () => {
  await occupy(8044);
  const child = spawn(process.execPath, ['scripts/start.ts'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    told += chunk;
  });
  const [code] = await once(child, 'close');
  expect([code, told]).toEqual([1, expect.stringContaining('Port 8044 is taken, and the API needs it.')]);
});

test('a port is free again when its server is gone', async () => {
  const server = createServer().listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect(await isPortFree(port, '127.0.0.1')).toBe(false);
  await once(server.close(), 'close');
  expect(await isPortFree(port, '127.0.0.1')).toBe(true);
});

test('the key of the built site changes with its files and its settings, and only then', async () => {
  const root = await mkdtemp(join(tmpdir(), 'site-key-'));
  cleanups.push(() => rm(root, { recursive: true }));
  const file = join(root, 'src/pages/index.astro');
  await mkdir(join(root, 'src/pages'), { recursive: true });
  await writeFile(file, '<h1>Shop</h1>');
  const key = await siteKey({ host: 'a' }, root);
  expect(await siteKey({ host: 'a' }, root)).toBe(key);
  expect(await siteKey({ host: 'b' }, root)).not.toBe(key);
  await utimes(file, 1, 1);
  expect(await siteKey({ host: 'a' }, root)).not.toBe(key);
});
