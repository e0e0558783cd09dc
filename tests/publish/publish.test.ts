import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import type { PublishOptions } from '#scripts/publish/publish.ts';
import { summaryOf } from '#scripts/publish/release/changes.ts';
import { lockReleases, waitForLock } from '#scripts/publish/release/lock.ts';
import { lastPublished, listReleases, switchTo } from '#scripts/publish/release/releases.ts';
import { rollBack, runAgain, StaleRelease } from '#scripts/publish/release/switch.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { CURRENT, currentRelease } from '#server/process/publishing.ts';
import { endOfGroup, temporaryFolder } from './support/temporary-folder.ts';
import { NO_API, publishTiny, type TinyShop, tinyBuild, tinyShop } from './support/tiny-site.ts';

// Spied functions work as usual unless a test replaces them.
vi.mock('node:fs', { spy: true });

const live = (root: string, file: string): string => readFileSync(join(root, 'current/site', file), 'utf8');
const inode = (root: string, file: string): number => statSync(join(root, 'current/site', file)).ino;
const setPrice = (shop: TinyShop, index: number, price: number): void => {
  shop.products[index] = { id: `p${index}`, name: `Mango ${index}`, price };
};

/** A shop with its first release. */
async function firstRelease(count?: number) {
  const [root, shop] = [temporaryFolder(), tinyShop(count)];
  const publishNext = (options?: Partial<PublishOptions>) => publishTiny(root, shop, options);
  return { root, shop, publishNext, ...(await publishNext()) };
}

/** Publishes a shop whose first product costs one price after the other. */
async function publishPrices(...prices: readonly number[]) {
  const root = temporaryFolder();
  const publishPrice = async (price: number) => {
    const shop = tinyShop();
    setPrice(shop, 0, price);
    await publishTiny(root, shop);
  };
  for (const price of prices) await publishPrice(price);
  const expectPrice = (price: number): void =>
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(price)}<`);
  return { root, publishPrice, expectPrice };
}

describe('a release', () => {
  test('is a folder that the link `current` names, with every product, encodings and what its host needs', async () => {
    const { root, id } = await firstRelease(3);
    expect(readlinkSync(join(root, 'current'))).toBe(id);
    expect(live(root, 'product/p2.html')).toContain('Mango 2');
    const files = ['hosting.json', 'release.json', 'site/_headers'];
    expect(await listFiles(join(root, 'current'))).toEqual(
      expect.arrayContaining([...files, 'site/product/p2.html.br']),
    );
    expect(JSON.parse(live(root, 'build-info.json'))).toMatchObject({ release: id, products: 3, pages: 7 });
  });

  test('has a summary for the staff: products added, removed and repriced, and the files that changed', async () => {
    const { shop, publishNext } = await firstRelease(10);
    setPrice(shop, 3, 99.5);
    shop.products = [...shop.products.slice(1), { id: 'new', name: 'Jamun', price: 5 }];
    const { changes } = await publishNext();
    const text = summaryOf(changes).join('\n');
    expect(text).toContain('Added (1):\n  Jamun');
    expect(text).toContain('Removed (1):\n  Mango 0');
    expect(text).toContain(`Repriced (1):\n  Mango 3: ${formatRupees(103)} → ${formatRupees(99.5)}`);
    // The home page lists all products.
    const pages = ['index.html', 'product/new.html', 'product/p3.html'];
    expect(changes.written.filter((file) => file.endsWith('.html')).sort()).toEqual(pages);
    expect(changes.deleted).toEqual(['product/p0.html']);
  });

  test('is not made by a dry run, which only reports the changes, or if nothing has changed', async () => {
    const root = temporaryFolder();
    const { id, changes } = await publishTiny(root, tinyShop(), { dryRun: true });
    expect([id, listReleases(root), existsSync(join(root, 'current'))]).toEqual([undefined, [], false]);
    expect(changes.added).toHaveLength(10);
    await publishTiny(root, tinyShop());
    expect((await publishTiny(root, tinyShop())).id).toBeUndefined();
    expect(listReleases(root)).toHaveLength(1);
  });

  test('shares unchanged files with the one before, and their encodings', async () => {
    const { root, shop, publishNext } = await firstRelease();
    const encodings = ['', '.br', '.dcz'].map((encoding) => `product/p7.html${encoding}`);
    const [before, changed] = [
      encodings.map((file) => inode(root, file)),
      inode(root, 'product/p5.html.dcz'),
    ];
    const { dictionary } = JSON.parse(live(root, 'build-info.json'));
    // This page is part of the dictionary, which still stays.
    setPrice(shop, 5, 1);
    await publishNext();
    expect(JSON.parse(live(root, 'build-info.json')).dictionary).toBe(dictionary);
    expect(encodings.map((file) => inode(root, file))).toEqual(before);
    expect(inode(root, 'product/p5.html.dcz')).not.toBe(changed);
    expect(live(root, 'product/p5.html')).toContain(`${formatRupees(1)}<`);
  });

  test('without encodings reuses none of the last release', async () => {
    const { root, shop, publishNext } = await firstRelease();
    shop.design = 'second';
    await publishNext({ env: { ...NO_API, PRECOMPRESS: 'false' } });
    const files = await listFiles(join(root, 'current/site'));
    expect(files.filter((file) => /\.(br|gz|dcz)$/.test(file))).toEqual([]);
  });

  test('each page in its dictionary form names the dictionary that it was made with', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    // This page does not change when the code, and so the dictionary, changes.
    shop.extra = { 'about.html': `<html><body>${'<p>About us</p>'.repeat(60)}</body></html>` };
    for (const design of ['first', 'second']) {
      shop.design = design;
      await publishTiny(root, shop);
      const site = join(root, 'current/site');
      const { dictionary } = JSON.parse(live(root, 'build-info.json'));
      const hash = createHash('sha256')
        .update(readFileSync(join(site, dictionary)))
        .digest();
      const short = (await listFiles(site)).filter((file) => file.endsWith('.dcz'));
      expect(short).toEqual(expect.arrayContaining(['about.html.dcz', 'product/p3.html.dcz']));
      for (const file of short) expect(readFileSync(join(site, file)).subarray(8, 40), file).toEqual(hash);
    }
  });
});

const keep = (count: number) => (shop: TinyShop) => {
  shop.products = shop.products.slice(0, count);
};
const drop = (count: number) => (shop: TinyShop) => {
  shop.dropped = count;
};
const about = (html: string) => (shop: TinyShop) => {
  shop.extra['about.html'] = `<html><head></head><body>${html}</body></html>`;
};

describe('a release of 20 products', () => {
  let root: string;
  const nextShop = (change: (shop: TinyShop) => void): TinyShop => {
    const shop = tinyShop(20);
    change(shop);
    return shop;
  };
  const atEnd = endOfGroup();
  beforeAll(async () => {
    root = temporaryFolder(atEnd);
    await publishTiny(root, tinyShop(20));
  });

  test.each([
    ['one more than 30 % smaller', keep(13), 'went from 20 to 13 products, 35.0 % fewer'],
    ['more than 5 % of the products broken', drop(2), '2 of 22 products (9.1 %) cannot be shown'],
    ['a dead link', about('<a href="/gone?x=1">x</a>'), 'about.html links to /gone?x=1, which is not there.'],
    ['inline code that the policy refuses', about('<p style="color:red">x</p>'), '<p style="color:red">'],
  ])('stays live before %s', async (_what, change, refusal) => {
    const before = currentRelease(root);
    await expect(publishTiny(root, nextShop(change))).rejects.toThrow(refusal);
    expect([currentRelease(root), listReleases(root)]).toEqual([before, [before]]);
  });

  const LINKS = '<a href="/product/p3#top">x</a><a href="/forgot-password">x</a>';
  const TEMPLATE = '<template><a href="/product/id">x</a></template>';

  test.each([
    ['one 30 % smaller', keep(14), {}],
    ['a smaller one, where it is allowed', keep(10), { allowShrink: true }],
    ['5 % of the products broken', drop(1), {}],
    ['links to a part of a page, to an account page and in a template', about(LINKS + TEMPLATE), {}],
    ['a text like code', about('<p title=" style=&quot;x&quot; onclick=x">x</p>'), {}],
  ])('is followed by %s', async (_what, change, options) => {
    const folder = temporaryFolder();
    await publishTiny(folder, tinyShop(20));
    expect((await publishTiny(folder, nextShop(change), options)).id).toMatch(/^000002-/);
  });
});

test('a shop of few products may lose half of them', async () => {
  const { root } = await firstRelease(4);
  expect((await publishTiny(root, tinyShop(2))).changes.removed).toHaveLength(2);
});

describe('older releases', () => {
  test('the last five and the one that was live before stay, with their assets', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const publishNext = (price: number) => {
      shop.design = `d${price}`;
      setPrice(shop, 0, price);
      return publishTiny(root, shop);
    };
    const numbers = (): number[] => listReleases(root).map((id) => Number(id.slice(0, 6)));
    const has = (file: string): boolean => existsSync(join(root, 'current/site/_astro', file));
    for (let price = 1; price <= 7; price += 1) await publishNext(price);
    expect(numbers()).toEqual([3, 4, 5, 6, 7]);
    const assets = ['app.d2.js', 'app.d3.js', 'app.d6.js.br', 'app.d7.js'];
    expect(assets.map(has)).toEqual([false, true, true, true]);
    await rollBack(root);
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(6)}<`);
    expect([has('app.d6.js'), has('app.d7.js')]).toEqual([true, true]);
    await rollBack(root, { to: listReleases(root)[0] });
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(3)}<`);
    await expect(rollBack(root)).rejects.toThrow('There is no older release to go back to.');
    await expect(rollBack(root, { to: '../x' })).rejects.toThrow("There is no release '../x'.");
    // The next number follows the newest release, not the live one.
    expect((await publishNext(8)).id).toMatch(/^000008-/);
    expect(numbers()).toEqual([3, 4, 5, 6, 7, 8]);
    expect(has('app.d3.js')).toBe(true);
    await publishNext(9);
    expect(numbers()).toEqual([5, 6, 7, 8, 9]);
  });

  test('of two rollbacks from the same release, one succeeds', async () => {
    const { root, expectPrice } = await publishPrices(1, 2, 3);
    const from = currentRelease(root);
    const results = await Promise.allSettled([rollBack(root, { from }), rollBack(root, { from })]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(rollBack(root, { from })).rejects.toThrow(StaleRelease);
    expectPrice(2);
  });

  test('a rollback restores the release that was live before, not one that was rolled back earlier', async () => {
    const { root, publishPrice, expectPrice } = await publishPrices(1, 2);
    const second = currentRelease(root);
    await rollBack(root);
    // A release that was killed before its switch was never live.
    const killed = join(root, '000002-20990101-000000');
    mkdirSync(killed);
    expect(lastPublished(root)).toBe(second);
    rmSync(killed, { recursive: true });
    await publishPrice(3);
    await rollBack(root);
    expectPrice(1);
  });
});

test('the command after the switch runs once for a release and for a roll back, and again after it failed', async () => {
  const root = temporaryFolder();
  const script = join(root, 'after.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, existsSync } from 'node:fs';
if (existsSync('${root}/broken')) process.exit(3);
appendFileSync('${root}/runs', process.env.RELEASE_ID.slice(0, 6) + ' ');`,
  );
  const env = { PUBLIC_API_HOST: 'http://127.0.0.1:9', PUBLISH_AFTER: `${process.execPath} ${script}` };
  const fail = () => writeFileSync(join(root, 'broken'), '');
  const fix = () => rmSync(join(root, 'broken'));
  const FAILED = 'is in place, but the command after it failed';
  const shop = tinyShop();
  await publishTiny(root, shop, { env });
  expect((await publishTiny(root, shop, { env })).id).toBeUndefined();
  shop.design = 'second';
  await publishTiny(root, shop, { env, dryRun: true });
  fail();
  await expect(publishTiny(root, shop, { env })).rejects.toThrow(FAILED);
  await expect(publishTiny(root, shop, { env })).rejects.toThrow(FAILED);
  fix();
  expect(await publishTiny(root, shop, { env })).toMatchObject({ id: currentRelease(root) });
  fail();
  await expect(rollBack(root, { env })).rejects.toThrow(FAILED);
  fix();
  expect(await runAgain(root, env)).toBe(true);
  expect(await runAgain(root, env)).toBe(false);
  expect(readFileSync(join(root, 'runs'), 'utf8')).toBe('000001 000002 000001 ');
});

describe('two publishers', () => {
  test('the second one is refused, until the first one releases the lock', async () => {
    const root = temporaryFolder();
    {
      using _lock = lockReleases(root);
      await expect(publishTiny(root, tinyShop())).rejects.toThrow('Another publication is at work');
    }
    expect((await publishTiny(root, tinyShop())).id).toBeDefined();
  });

  test('a build that waits for another one says so when it is stopped', async () => {
    const file = join(temporaryFolder(), 'lock');
    using _lock = await waitForLock(file, () => {});
    const stopping = new AbortController();
    const waiting = waitForLock(file, () => stopping.abort(), stopping.signal);
    await expect(waiting).rejects.toThrow('The build was stopped');
  });
});

test('during a switch the link names the old release until the new one takes its place', () => {
  const root = temporaryFolder();
  switchTo(root, 'one');
  const rename = vi.mocked(renameSync).mockImplementationOnce((from, to) => {
    expect([from, to].map((link) => readlinkSync(link))).toEqual(['two', 'one']);
  });
  rename.mockClear();
  switchTo(root, 'two');
  expect(rename).toHaveBeenCalledExactlyOnceWith(expect.anything(), join(root, CURRENT));
});

test('a build that fails leaves the live release and no leftovers', async () => {
  const { root, publishNext } = await firstRelease();
  const before = await listFiles(root);
  const build: ReturnType<typeof tinyBuild> = async (directory, options) => {
    await tinyBuild(tinyShop(9))(directory, options);
    throw new Error('ENOSPC: no space left on device');
  };
  await expect(publishNext({ build })).rejects.toThrow('ENOSPC');
  expect(await listFiles(root)).toEqual(before);
});
