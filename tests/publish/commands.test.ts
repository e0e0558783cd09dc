import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { currentRelease } from '#scripts/publish/release/releases.ts';
import { startScript } from './support/run.ts';
import { type StubApi, startStubApi, stubCatalogue, wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

const TOKEN = 'a-token-of-the-shop-owner';

/** All commands share one API, because the shop is compiled again for another address. */
let api: StubApi;
beforeAll(async () => {
  const ends: (() => void)[] = [];
  api = await startStubApi(1, (end) => void ends.push(end));
  return () => {
    for (const end of ends) end();
  };
});
beforeEach(() => void Object.assign(api, stubCatalogue(1)));

const settings = (root: string): Record<string, string> => ({
  PUBLIC_API_HOST: api.url,
  PUBLISH_DIR: root,
  ALLOW_HEAVY: 'true',
  PRECOMPRESS: 'false',
});

describe('the command of the watcher', () => {
  /** Starts the watcher. The returned function waits for a line that matches, and returns its first group. */
  function startWatcher(root: string, interval = '86400') {
    const { child, ended } = startScript('publish-watch.ts', {
      ...settings(root),
      REBUILD_TOKEN: TOKEN,
      WATCH_PORT: '0',
      WATCH_INTERVAL: interval,
    });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    if (!child.stdout) throw new Error('The watcher has no output.');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`The watcher ended:\n${(await ended).errors}`);
        const [, found] = pattern.exec(value) ?? [];
        if (found !== undefined) return found;
      }
    };
  }

  test('with WATCH_INTERVAL=0 publishes nothing by itself, tells what would change, and goes back when asked', async () => {
    const root = temporaryFolder();
    const shop = tinyShop(2);
    const first = await publishTiny(root, shop);
    shop.products = shop.products.slice(0, 1);
    const second = await publishTiny(root, shop, { allowShrink: true, allowLostPages: true });
    const status = new URL(await startWatcher(root, '0')(/status at (\S+)/));
    const ask = async (path: string, method: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${TOKEN}` };
      return (await fetch(new URL(path, status), { method, headers })).json();
    };
    api.products = [{ ...wireProduct(0), title: 'Mango 0', regularPrice: 4321, discountedPrice: null }];
    expect(await ask('/differences', 'GET')).toMatchObject({
      added: [],
      removed: [],
      repriced: [{ id: 'p0', name: 'Mango 0', from: 100, to: 4321 }],
    });
    expect(await ask('/rollback', 'POST')).toEqual({ from: second.id, to: first.id });
    expect(currentRelease(root)).toBe(first.id);
    expect(await ask('/differences', 'GET')).toMatchObject({ removed: [{ id: 'p1', name: 'Mango 1' }] });
    expect(await ask('/status', 'GET')).toMatchObject({
      live: first.id,
      builds: 0,
      releases: [{ kind: 'rolled back' }, { kind: 'published' }, { kind: 'published' }],
    });
    expect(await ask('/rollback', 'POST')).toEqual({ error: 'There is no older release to go back to.' });
  });
});

test('[fault 4, 85] publishing refuses a shop that shrank, accepts it with --allow-shrink, and rolls back without building', async () => {
  const root = temporaryFolder();
  await publishTiny(root, tinyShop(20));
  const before = currentRelease(root);
  const command = (...args: string[]) => startScript('release.ts', settings(root), args).ended;

  const refused = await command();
  expect(refused.status).toBe(1);
  expect(refused.errors).toContain('went from 20 to 1 products, 95.0 % fewer');
  expect(currentRelease(root)).toBe(before);

  expect((await command('--allow-shrink')).status).toBe(0);
  expect(currentRelease(root)).toMatch(/^000002-/);
  expect(existsSync(join(root, 'current/site/product/p2.html'))).toBe(false);

  api.pagesAnswered = 0;
  const back = await command('--rollback');
  expect([back.status, back.errors]).toEqual([0, '']);
  expect(currentRelease(root)).toBe(before);
  expect(existsSync(join(root, 'current/site/product/p2.html'))).toBe(true);
});
