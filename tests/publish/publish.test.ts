import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { summaryOf } from '#scripts/publish/release/changes.ts';
import { lockReleases, waitForLock } from '#scripts/publish/release/lock.ts';
import {
  CURRENT,
  currentRelease,
  lastPublished,
  listReleases,
  switchTo,
} from '#scripts/publish/release/releases.ts';
import { rollBack, runAgain, StaleRelease } from '#scripts/publish/release/switch.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, type TinyShop, tinyBuild, tinyShop } from './support/tiny-site.ts';

// Each function works as it is, unless a test says otherwise.
vi.mock('node:fs', { spy: true });

const live = (root: string, file: string): string => readFileSync(join(root, 'current/site', file), 'utf8');

describe('a release', () => {
  test('is a folder that the link `current` names, with every product, compressed forms and host files', async () => {
    const root = temporaryFolder();
    const { id } = await publishTiny(root, tinyShop(3));
    expect(readlinkSync(join(root, 'current'))).toBe(id);
    expect(live(root, 'product/p2.html')).toContain('Mango 2');
    expect(existsSync(join(root, 'current/site/product/p2.html.br'))).toBe(true);
    expect(await listFiles(join(root, 'current'))).toEqual(
      expect.arrayContaining([
        'Caddyfile',
        'nginx-http.conf',
        'nginx-server.conf',
        'release.json',
        'site/_headers',
      ]),
    );
    expect(JSON.parse(live(root, 'build-info.json'))).toMatchObject({ release: id, products: 3, pages: 7 });
  });

  test('has a summary for people: products added, removed and repriced, and the files that changed', async () => {
    const root = temporaryFolder();
    const shop = tinyShop(10);
    await publishTiny(root, shop);
    shop.products = shop.products
      .slice(1)
      .map((product) => (product.id === 'p3' ? { ...product, price: 99.5 } : product));
    shop.products.push({ id: 'new', name: 'Jamun', price: 5 });
    const { changes } = await publishTiny(root, shop);
    const text = summaryOf(changes).join('\n');
    expect(text).toContain('Added (1):\n  Jamun');
    expect(text).toContain('Removed (1):\n  Mango 0');
    expect(text).toContain(`Repriced (1):\n  Mango 3: ${formatRupees(103)} → ${formatRupees(99.5)}`);
    // The home page lists all products.
    expect(changes.written.filter((file) => file.endsWith('.html')).sort()).toEqual([
      'index.html',
      'product/new.html',
      'product/p3.html',
    ]);
    expect(changes.deleted).toEqual(['product/p0.html']);
  });

  test('is not made when nothing has changed', async () => {
    const root = temporaryFolder();
    await publishTiny(root, tinyShop());
    expect((await publishTiny(root, tinyShop())).id).toBeUndefined();
    expect(listReleases(root)).toHaveLength(1);
  });

  test('shares unchanged files with the one before, compressed forms too', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const first = await publishTiny(root, shop);
    shop.products[0] = { id: 'p0', name: 'Mango 0', price: 1 };
    const second = await publishTiny(root, shop);
    const inode = (id: string | undefined, file: string): number =>
      statSync(join(root, `${id}`, 'site', file)).ino;
    expect(inode(second.id, 'product/p5.html')).toBe(inode(first.id, 'product/p5.html'));
    expect(inode(second.id, 'product/p5.html.br')).toBe(inode(first.id, 'product/p5.html.br'));
    expect(inode(second.id, 'product/p0.html')).not.toBe(inode(first.id, 'product/p0.html'));
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(1)}<`);
  });

  test('reuses no file that someone has edited by hand', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const page = 'product/p5.html';
    await publishTiny(root, shop);
    const right = live(root, page);
    writeFileSync(join(root, 'current/site', page), right.replace(formatRupees(105), formatRupees(999)));
    shop.products[0] = { id: 'p0', name: 'Mango 0', price: 1 };
    await publishTiny(root, shop);
    expect(live(root, page)).toBe(right);
    shop.products[0] = { id: 'p0', name: 'Mango 0', price: 2 };
    const third = await publishTiny(root, shop);
    expect(live(root, page)).toBe(right);
    expect(third.changes.written).not.toContain(page);
  });

  test('without compressed forms reuses none of the last release', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const compressed = async (): Promise<string[]> =>
      (await listFiles(join(root, 'current/site'))).filter((file) => /\.(br|gz|dcz)$/.test(file));
    await publishTiny(root, shop);
    expect(await compressed()).not.toEqual([]);
    shop.design = 'second';
    await publishTiny(root, shop, { precompress: false });
    expect(await compressed()).toEqual([]);
  });

  test('keeps the dictionary while only products change, and compresses only the changed pages again', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const dictionaries = (): string[] =>
      readdirSync(join(root, 'current/site/_astro')).filter((file) => /^dictionary.*txt$/.test(file));
    const dictionary = (): string => JSON.parse(live(root, 'build-info.json')).dictionary;
    const inode = (file: string): number => statSync(join(root, 'current/site', file)).ino;
    await publishTiny(root, shop);
    const first = dictionary();
    const before = [inode('product/p5.html.dcz'), inode('product/p7.html.dcz')];
    // This page is part of the dictionary.
    shop.products[5] = { id: 'p5', name: 'Mango 5', price: 1 };
    await publishTiny(root, shop);
    expect(dictionary()).toBe(first);
    expect(dictionaries()).toHaveLength(1);
    expect(inode('product/p5.html.dcz')).not.toBe(before[0]);
    expect(inode('product/p7.html.dcz')).toBe(before[1]);

    shop.design = 'second';
    await publishTiny(root, shop);
    expect(dictionary()).not.toBe(first);
    // The older dictionary stays, like every asset, because pages of the older release are still open.
    expect(dictionaries().map((file) => `/_astro/${file}`)).toEqual([first, dictionary()].sort());
    expect(inode('product/p7.html.dcz')).not.toBe(before[1]);
  });

  test('[fault 111] each page in its dictionary form names the dictionary that it was made with', async () => {
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

  test('is not made by a dry run, which only says what would change', async () => {
    const root = temporaryFolder();
    const { id, changes } = await publishTiny(root, tinyShop(), { dryRun: true });
    expect(id).toBeUndefined();
    expect(changes.added).toHaveLength(10);
    expect(listReleases(root)).toEqual([]);
    expect(existsSync(join(root, 'current'))).toBe(false);
  });
});

describe('what keeps a release from going live', () => {
  const refusal = async (change: (shop: TinyShop) => void, options = {}) => {
    const root = temporaryFolder();
    const shop = tinyShop(20);
    await publishTiny(root, shop);
    const before = readlinkSync(join(root, 'current'));
    change(shop);
    const outcome = await publishTiny(root, shop, options).then(
      () => '',
      (error: Error) => error.message,
    );
    if (outcome !== '') {
      expect(readlinkSync(join(root, 'current'))).toBe(before);
      expect(listReleases(root)).toEqual([before]);
    }
    return outcome;
  };

  test('[fault 4] a catalogue more than 30 % smaller than the last release, unless it is allowed', async () => {
    const shrink = (shop: TinyShop): void => {
      shop.products = shop.products.slice(0, 13);
    };
    expect(await refusal(shrink)).toContain('went from 20 to 13 products, 35.0 % fewer');
    expect(await refusal(shrink, { allowShrink: true })).toBe('');
    const small = temporaryFolder();
    await publishTiny(small, tinyShop(4));
    expect((await publishTiny(small, tinyShop(2))).changes.removed).toHaveLength(2);
    expect(
      await refusal((shop) => {
        shop.products = shop.products.slice(0, 14);
      }),
    ).toBe('');
  });

  test('[fault 82] more than 5 % of the products broken', async () => {
    const broken = (dropped: number) => (shop: TinyShop) => {
      shop.dropped = dropped;
    };
    expect(await refusal(broken(2))).toContain('2 of 22 products (9.1 %) cannot be shown');
    expect(await refusal(broken(1))).toBe('');
  });

  test('a link that leads nowhere', async () => {
    const link = (href: string) => (shop: TinyShop) => {
      shop.extra = { 'about.html': `<html><head></head><a href="${href}">x</a></html>` };
    };
    expect(await refusal(link('/gone?x=1'))).toContain('about.html links to /gone?x=1, which is not there.');
    expect(await refusal(link('/product/p3#top'))).toBe('');
    expect(await refusal(link('/forgot-password'))).toBe('');
    expect(
      await refusal((shop) => {
        shop.extra = {
          'about.html': '<html><head></head><template><a href="/product/id">x</a></template></html>',
        };
      }),
    ).toBe('');
  });

  test('structured data that cannot be read, and inline code that the policy refuses', async () => {
    const body = (html: string) => (shop: TinyShop) => {
      shop.extra = { 'about.html': `<html><head></head><body>${html}</body></html>` };
    };
    expect(await refusal(body('<script type="application/ld+json">{"a":</script>'))).toContain('JSON-LD');
    expect(await refusal(body('<p style="color:red">x</p>'))).toContain('<p style="color:red">');
    expect(await refusal(body('<p title=" style=&quot;x&quot; onclick=x">x</p>'))).toBe('');
  });

  test('a page that was there and is lost, unless it is allowed', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    shop.extra = { 'about.html': '<html><head></head></html>' };
    await publishTiny(root, shop);
    shop.extra = {};
    await expect(publishTiny(root, shop)).rejects.toThrow('The page about.html was in the last release');
    expect((await publishTiny(root, shop, { allowLostPages: true })).changes.deleted).toEqual(['about.html']);
  });

  test('a page over its byte budget', async () => {
    const noise = randomBytes(16_000).toString('hex');
    const fatten = (shop: TinyShop): void => {
      shop.extra = { 'about.html': `<html><head></head>${noise}</html>` };
    };
    expect(await refusal(fatten, { allowHeavy: false })).toContain('Over its byte budget: about.html');
  });
});

describe('older releases', () => {
  test('[fault 85] five stay, and a roll back takes the one before without building', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    for (let price = 1; price <= 7; price += 1) {
      shop.products[0] = { id: 'p0', name: 'Mango 0', price };
      await publishTiny(root, shop);
    }
    expect(listReleases(root).map((id) => Number(id.slice(0, 6)))).toEqual([3, 4, 5, 6, 7]);
    await rollBack(root);
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(6)}<`);
    await rollBack(root, { to: listReleases(root)[0] });
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(3)}<`);
    await expect(rollBack(root)).rejects.toThrow('There is no older release to go back to.');
    await expect(rollBack(root, { to: '../x' })).rejects.toThrow("There is no release '../x'.");
    // The next number follows the newest release, not the live one.
    shop.products[0] = { id: 'p0', name: 'Mango 0', price: 8 };
    expect((await publishTiny(root, shop)).id).toMatch(/^000008-/);
  });

  test('[fault 85, 102] of two who go back from the same release, one does', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    for (let price = 1; price <= 3; price += 1) {
      shop.products[0] = { id: 'p0', name: 'Mango 0', price };
      await publishTiny(root, shop);
    }
    const from = currentRelease(root);
    const asked = await Promise.allSettled([rollBack(root, { from }), rollBack(root, { from })]);
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(rollBack(root, { from })).rejects.toThrow(StaleRelease);
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(2)}<`);
  });

  test('[fault 85] the release that was live until now stays, however old, with its assets', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const publishDesign = async (design: number): Promise<void> => {
      await publishTiny(root, shop, { build: tinyBuild({ ...shop, design: `d${design}` }) });
    };
    const numbers = (): number[] => listReleases(root).map((id) => Number(id.slice(0, 6)));
    for (let design = 1; design <= 6; design += 1) await publishDesign(design);
    await rollBack(root, { to: listReleases(root)[0] });
    await publishDesign(7);
    expect(numbers()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(existsSync(join(root, 'current/site/_astro/app.d2.js'))).toBe(true);
    await publishDesign(8);
    expect(numbers()).toEqual([4, 5, 6, 7, 8]);
  });

  test('[fault 85] a roll back goes to what was live before, not to a release that was rolled back earlier', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const publishPrice = async (price: number): Promise<void> => {
      shop.products[0] = { id: 'p0', name: 'Mango 0', price };
      await publishTiny(root, shop);
    };
    await publishPrice(1);
    await publishPrice(2);
    const second = currentRelease(root);
    await rollBack(root);
    // A release that was killed before its switch never was live.
    mkdirSync(join(root, '000002-20990101-000000'));
    expect(await lastPublished(root)).toBe(second);
    rmSync(join(root, '000002-20990101-000000'), { recursive: true });
    await publishPrice(3);
    await rollBack(root);
    expect(live(root, 'product/p0.html')).toContain(`${formatRupees(1)}<`);
  });

  test('[fault 88] the assets of the last releases stay reachable, after a roll back as well', async () => {
    const root = temporaryFolder();
    const shop = tinyShop();
    const has = (file: string): boolean => existsSync(join(root, 'current/site/_astro', file));
    for (const design of ['a', 'b', 'c', 'd', 'e', 'f']) {
      shop.design = design;
      await publishTiny(root, shop);
    }
    expect([has('app.a.js'), has('app.b.js'), has('app.e.js.br'), has('app.f.js')]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    await rollBack(root);
    expect([has('app.e.js'), has('app.f.js')]).toEqual([true, true]);
  });
});

/** A PUBLISH_AFTER that logs the numbers of the releases it was run for, and fails while the file `broken` exists. */
function commandAfter(root: string) {
  const script = join(root, 'after.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, existsSync } from 'node:fs';
if (existsSync('${root}/broken')) process.exit(3);
appendFileSync('${root}/runs', process.env.RELEASE_ID.slice(0, 6) + ' ');`,
  );
  const env = { PUBLIC_API_HOST: 'http://127.0.0.1:9', PUBLISH_AFTER: `${process.execPath} ${script}` };
  return {
    env,
    breakIt: () => writeFileSync(join(root, 'broken'), ''),
    mend: () => rmSync(join(root, 'broken')),
    runsFor: () => readFileSync(join(root, 'runs'), 'utf8').trim().split(' ').map(Number),
  };
}

describe('the command after the switch', () => {
  const FAILED = 'is in place, but the command after it failed';

  test('runs once for a release and for a roll back, but not for a dry run or when nothing has changed', async () => {
    const root = temporaryFolder();
    const { env, runsFor } = commandAfter(root);
    const shop = tinyShop();
    expect((await publishTiny(root, shop, { env })).ranAgain).toBe(false);
    expect((await publishTiny(root, shop, { env })).ranAgain).toBe(false);
    shop.design = 'second';
    await publishTiny(root, shop, { env, dryRun: true });
    await publishTiny(root, shop, { env });
    await rollBack(root, { env });
    expect(await runAgain(root, env)).toBe(false);
    expect(runsFor()).toEqual([1, 2, 1]);
  });

  test('is run again after it failed, though nothing has changed since', async () => {
    const root = temporaryFolder();
    const { env, breakIt, mend, runsFor } = commandAfter(root);
    const shop = tinyShop();
    breakIt();
    await expect(publishTiny(root, shop, { env })).rejects.toThrow(FAILED);
    await expect(publishTiny(root, shop, { env })).rejects.toThrow(FAILED);
    mend();
    expect(await publishTiny(root, shop, { env })).toMatchObject({ id: undefined, ranAgain: true });
    shop.design = 'second';
    breakIt();
    await expect(publishTiny(root, shop, { env })).rejects.toThrow(FAILED);
    mend();
    expect(await runAgain(root, env)).toBe(true);
    breakIt();
    await expect(rollBack(root, { env })).rejects.toThrow(FAILED);
    mend();
    const live = readlinkSync(join(root, 'current'));
    expect(await rollBack(root, { to: live, env })).toEqual({ from: live, to: live });
    expect(runsFor()).toEqual([1, 2, 1]);
  });
});

describe('two publishers', () => {
  test('the second one is refused, until the first one releases the lock', async () => {
    const root = temporaryFolder();
    const lock = lockReleases(root);
    await expect(publishTiny(root, tinyShop())).rejects.toThrow('Another publication is at work');
    lock.release();
    expect((await publishTiny(root, tinyShop())).id).toBeDefined();
  });

  test('a build that waits for another one says so when it is stopped', async () => {
    const file = join(temporaryFolder(), 'lock');
    const lock = await waitForLock(file, () => {});
    onTestFinished(lock.release);
    const stopping = new AbortController();
    const waiting = waitForLock(file, () => stopping.abort(), stopping.signal);
    await expect(waiting).rejects.toThrow('The build was stopped');
  });
});

test('[fault 81] during a switch the link names the old release until the new one takes its place', () => {
  const root = temporaryFolder();
  switchTo(root, 'one');
  const rename = vi.mocked(renameSync).mockImplementationOnce((from, to) => {
    expect([from, to].map((link) => readlinkSync(link))).toEqual(['two', 'one']);
  });
  rename.mockClear();
  switchTo(root, 'two');
  expect(rename).toHaveBeenCalledExactlyOnceWith(expect.anything(), join(root, CURRENT));
});

test('[fault 81] a build that fails leaves the live release and no leftovers', async () => {
  const root = temporaryFolder();
  await publishTiny(root, tinyShop());
  const before = await listFiles(root);
  const build: ReturnType<typeof tinyBuild> = async (directory, options) => {
    await tinyBuild(tinyShop(9))(directory, options);
    throw new Error('ENOSPC: no space left on device');
  };
  await expect(publishTiny(root, tinyShop(), { build })).rejects.toThrow('ENOSPC');
  expect(await listFiles(root)).toEqual(before);
});
