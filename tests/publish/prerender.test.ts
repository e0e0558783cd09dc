import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
const NOBODY = 'http://127.0.0.1:9';

async function plainBuild(out: string, api: string): Promise<number | null> {
  const child = spawn(process.execPath, [ASTRO, 'build'], {
    cwd: ROOT,
    env: {
      ...process.env,
      OUT_DIR: out,
      PUBLIC_API_HOST: api,
      PUBLIC_IMAGES: 'passthrough',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  const [status] = await once(child, 'close');
  return status;
}

/** scripts/page-scripts puts a page's scripts elsewhere, under other names: the rest must be as Astro wrote it. */
const withoutScripts = (html: string): string =>
  html.replace(/<script(?! type="application)[^>]*>[\s\S]*?<\/script>| data-draw="[^"]*"/g, '');

test('pages made of the kept compilation are what a plain `astro build` makes', async () => {
  const folder = temporaryFolder();
  const api = await startStubApi(6);
  const [kept, plain] = [join(folder, 'kept'), join(folder, 'plain')];
  expect((await build(kept, api.url)).errors).toBe('');
  expect(await plainBuild(plain, api.url)).toBe(0);
  const read = (dist: string, file: string): string => readFileSync(join(dist, file), 'utf8');
  for (const page of ['index.html', 'products.html', 'product/p0.html', 'contact.html', 'search.html']) {
    // A difference of whole pages would fill the screen.
    expect(withoutScripts(read(kept, page)) === withoutScripts(read(plain, page)), page).toBe(true);
  }
  for (const file of [
    'listing/all/1.json',
    'listing/all/facets.json',
    'listing/search/all.json',
    'feed.xml',
  ]) {
    expect(read(kept, file), file).toBe(read(plain, file));
  }
  expect(readdirSync(join(kept, 'product'))).toEqual(readdirSync(join(plain, 'product')));
});

test('[fault 81] a build killed between its two renames is repaired by the next, even one that fails', async () => {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(join(folder, `.dist.old-${dead}`));
  writeFileSync(join(folder, `.dist.old-${dead}`, 'index.html'), 'what stood');
  mkdirSync(join(folder, `.dist.building-${dead}`));
  expect((await build(dist, NOBODY)).status).toBe(1);
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('what stood');
  await vi.waitFor(() => expect(existsSync(join(folder, `.dist.building-${dead}`))).toBe(false), 5_000);
});
