import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changesBetween } from '#scripts/publish/release/changes.ts';
import { fingerprint } from '#scripts/publish/release/manifest.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { build, treeHash } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { wireProduct } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** A folder whose `dist` was built before. */
function builtBefore() {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'index.html'), 'what stands');
  const untouched = (): boolean =>
    readFileSync(join(dist, 'index.html'), 'utf8') === 'what stands' &&
    readdirSync(folder).length === 1 &&
    readdirSync(dist).length === 1;
  return { dist, untouched };
}

const NOBODY = 'http://127.0.0.1:9';

describe('a build that cannot read the catalogue', () => {
  test('[fault 1] names the endpoint within 60 s, without a stack, and leaves the old site', async () => {
    const { dist, untouched } = builtBefore();
    const started = performance.now();
    const { status, errors } = await build(dist, NOBODY);
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(status).toBe(1);
    expect(errors.trim()).toBe(
      `The catalogue could not be read: GET ${NOBODY}/api/v1/storeInfo no answer (is the API running?). Nothing was published. Set PUBLIC_API_HOST to the address of the API and build again.`,
    );
    expect(untouched()).toBe(true);
  });

  test('[fault 2] publishes nothing when page 3 of 5 never comes', async () => {
    const { dist, untouched } = builtBefore();
    const api = await startStubApi(450);
    api.pagesAnswered = 2;
    const { status, errors } = await build(dist, api.url);
    expect(status).toBe(1);
    expect(errors).toContain(`GET ${api.url}/api/v1/products?page=3&limit=100 no answer`);
    expect(untouched()).toBe(true);
  });

  test('says which setting is wrong', async () => {
    const { dist, untouched } = builtBefore();
    const { status, errors } = await build(dist, 'shop.example');
    expect([status, errors.trim()]).toEqual([
      1,
      'The settings cannot be used:\n  PUBLIC_API_HOST: must be an address such as https://api.shop.example',
    ]);
    expect(untouched()).toBe(true);
  });
});

describe('two builds of one catalogue', () => {
  const CANARY = 'canary-7c1e5b';

  test('[fault 82, 86, 91] are equal and complete, without the broken product and without any secret', async () => {
    const folder = temporaryFolder();
    const api = await startStubApi(12);
    api.products[3] = { ...wireProduct(3), regularPrice: -1 };
    const secrets = Object.fromEntries(
      ['REBUILD_TOKEN', 'GATEWAY_SECRET', 'DATABASE', 'AWS_SECRET_ACCESS_KEY', 'SECRET'].map((name) => [
        name,
        `${CANARY}-${name}`,
      ]),
    );
    const first = await build(join(folder, 'a'), api.url, secrets);
    const second = await build(join(folder, 'b'), api.url, secrets);
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(await treeHash(join(folder, 'a'))).toBe(await treeHash(join(folder, 'b')));

    const info = JSON.parse(readFileSync(join(folder, 'a/build-info.json'), 'utf8'));
    expect(readFileSync(join(folder, 'a', info.dictionary), 'utf8')).toContain(
      readFileSync(join(folder, 'a/index.html'), 'utf8'),
    );
    expect(first.errors).toMatch(
      /\[catalogue\] products\?page=1&limit=100 data\[3\] left out: .*regularPrice/,
    );
    expect(existsSync(join(folder, 'a/product/p3.html'))).toBe(false);
    expect(existsSync(join(folder, 'a/product/p4.html'))).toBe(true);

    expect(first.output + first.errors).not.toContain(CANARY);
    for (const file of await listFiles(join(folder, 'a'))) {
      expect(readFileSync(join(folder, 'a', file), 'latin1'), file).not.toContain(CANARY);
    }
    expect(readFileSync(join(folder, 'a/sitemap.xml'), 'utf8')).toContain('/product/p4</loc>');
    // The calls of a page's head go where all others go.
    expect(readFileSync(join(folder, 'a/cart.html'), 'utf8')).toContain(`\`${api.url}\``);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  });
});

describe('a build after another', () => {
  test('rebuilds exactly the pages that show the change, and equals a build of everything', async () => {
    const folder = temporaryFolder();
    const api = await startStubApi(40);
    const dist = join(folder, 'dist');
    await build(dist, api.url);
    const before = await fingerprint(dist);

    api.products[30] = { ...wireProduct(30), regularPrice: 4321 };
    await build(dist, api.url);
    const { written, deleted } = changesBetween(
      { products: {}, files: before },
      { products: {}, files: await fingerprint(dist) },
    );
    expect(deleted).toEqual([]);
    expect(written).toContain('product/p30.html');
    for (const file of written) expect(readFileSync(join(dist, file), 'utf8'), file).toContain('4321');

    await build(join(folder, 'fresh'), api.url, {}, ['--fresh']);
    expect(await treeHash(dist)).toBe(await treeHash(join(folder, 'fresh')));

    // A page that someone has edited by hand is not reused.
    writeFileSync(join(folder, 'fresh/product/p7.html'), 'broken');
    await build(dist, api.url);
    expect(readFileSync(join(dist, 'product/p7.html'), 'utf8')).toContain('Mango 7');
  });
});
