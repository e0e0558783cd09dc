import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importCatalogue } from '#scripts/api/catalogue/import.ts';
import { CatalogueError, readCatalogue } from '#scripts/api/catalogue/read.ts';
import { startApi } from '#scripts/api/start.ts';
import { CATALOGUE, testApi } from './support/api.ts';
import { emptyDatabase, storedDatabase } from './support/databases.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  cpSync(CATALOGUE, folder, { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const BERRIES = 'products/02-berries.json';

/** Changes the first product of a file. */
function edit(file: string, change: Record<string, unknown>): void {
  const list: unknown = JSON.parse(readFileSync(path(file), 'utf8'));
  if (!Array.isArray(list)) throw new Error('Not a list');
  list[0] = { ...list[0], ...change };
  writeFileSync(path(file), JSON.stringify(list));
}

function problems(): readonly string[] {
  try {
    readCatalogue(folder);
  } catch (error) {
    if (error instanceof CatalogueError) return error.problems;
    throw error;
  }
  return [];
}

describe('readCatalogue', () => {
  it('[issue 2] reads at least 60 products of at least 8 categories, in the order of the files', () => {
    const { products, storeInfo } = readCatalogue('scripts/catalogue');
    expect(products.length).toBeGreaterThanOrEqual(60);
    expect(new Set(products.map(({ category }) => category)).size).toBeGreaterThanOrEqual(8);
    expect(products[0]?.category).toBe(storeInfo.categories[0]);
  });

  it.each([
    [{ regularPrice: -1 }, 'regularPrice: must not be negative'],
    [{ regularPrice: 1.005 }, 'regularPrice: has more than two decimals'],
    [{ regularPrice: '12.5' }, 'regularPrice: must be a number of rupees'],
    [{ regularPrice: 1e20 }, 'regularPrice: is too high'],
    [{ title: ' ' }, 'title: must not be empty'],
    [{ id: '../x' }, 'id: must be 1 to 100 letters, digits, dots, hyphens or underscores'],
    [{ id: '__proto__' }, 'id: is a reserved name'],
    [{ createdAt: 'yesterday' }, 'createdAt: must be an ISO time such as 2025-04-05T09:30:00Z'],
    [{ attributes: [{ key: 'size', values: [] }] }, 'attributes.0.values: needs a value'],
  ])('[fault 66] %j is told with file, product and field', (change, text) => {
    edit(BERRIES, change);
    expect(problems()).toEqual([`${BERRIES}[0], ${text}`]);
  });

  it('tells every problem at once: pictures that are missing, ids twice, broken JSON, unknown fields', () => {
    const taken = readCatalogue(folder).products[0]?.id.toUpperCase() ?? '';
    edit(BERRIES, { id: taken, imgUrl: 'none.webp', images: [{ url: '../store.json' }] });
    edit('products/03-goods.json', { colour: 'green' });
    writeFileSync(path('products/09-more.json'), '[');
    expect(problems()).toEqual([
      expect.stringContaining('products/03-goods.json[0], colour:'),
      expect.stringContaining('products/09-more.json:'),
      expect.stringContaining(`${BERRIES} '${taken}': the id is taken by products/01-fruit.json`),
      `${BERRIES} '${taken}': there is no picture 'none.webp' in art/`,
      `${BERRIES} '${taken}': there is no picture '../store.json' in art/`,
    ]);
  });

  it('tells a policy file that is missing and a folder that is none', () => {
    rmSync(path('policies/shipping.html'));
    expect(problems()).toEqual(['store.json, policies.shipping: there is no policies/shipping.html']);
    expect(() => readCatalogue(path('none'))).toThrow('the folder does not exist');
    rmSync(path('store.json'));
    expect(problems()).toEqual(['store.json: is missing']);
  });
});

describe('importing', () => {
  it('says what changed, and nothing the second time', async () => {
    const { db } = await testApi();
    const { products } = readCatalogue(folder);
    expect(await importCatalogue(db, readCatalogue(folder))).toMatchObject({ changed: false });
    rmSync(path(BERRIES));
    const left = readCatalogue(folder).products.length;
    expect(await importCatalogue(db, readCatalogue(folder))).toEqual({
      changed: true,
      products: left,
      gone: products.length - left,
    });
  });

  it('a start fills an empty database; afterwards only an import brings an edit into the shop', async () => {
    const database = await storedDatabase(path('shop.sqlite'));
    const first = await startApi({ database, catalogue: folder });
    const total = async (url: string): Promise<unknown> =>
      (await fetch(`${url}/api/v1/products?limit=1`)).json();
    expect(await total(first.url)).toMatchObject({ data: [{ discountedPrice: 899 }] });
    await first.db.write((transaction) =>
      transaction.run("INSERT INTO users VALUES ('u', 'asha@example.com', 'x', 'Asha', 'Rao', 0)"),
    );
    await first.close();

    edit('products/01-fruit.json', { discountedPrice: 950 });
    const second = await startApi({ database, catalogue: folder });
    expect(await total(second.url)).toMatchObject({ data: [{ discountedPrice: 899 }] });
    await importCatalogue(second.db, readCatalogue(folder));
    await second.close();

    rmSync(path('store.json'));
    const third = await startApi({ database, catalogue: folder });
    expect(await total(third.url)).toMatchObject({ data: [{ discountedPrice: 950 }] });
    expect(await third.db.write((transaction) => transaction.run('DELETE FROM users'))).toBe(1);
    await third.close();
  });

  it('an import by another process shows within 2 s', async () => {
    const { db, ask, pass } = await testApi();
    await ask('/products');
    edit('products/01-fruit.json', { title: 'Alphonso Mango, box of 12' });
    await importCatalogue(db, readCatalogue(folder));
    pass(2_000);
    expect((await ask('/products?limit=1')).json).toMatchObject({
      data: [{ title: 'Alphonso Mango, box of 12' }],
    });
  });

  it('a clock that is set back does not keep the old one', async () => {
    const { db, ask, pass } = await testApi();
    await ask('/products');
    rmSync(path(BERRIES));
    await importCatalogue(db, readCatalogue(folder));
    pass(-365 * 86_400_000);
    expect((await ask('/products?category=berries')).json).toMatchObject({ count: 0 });
  });

  it('brings the pictures along: new, changed and gone', async () => {
    const { db, ask } = await testApi();
    const first = (await ask('/images/mango.webp')).headers.get('etag');
    writeFileSync(path('art/mango.webp'), 'another picture');
    writeFileSync(path('art/new.webp'), 'a new picture');
    await importCatalogue(db, readCatalogue(folder));
    const changed = await ask('/images/mango.webp', { headers: { 'If-None-Match': first ?? '' } });
    expect([changed.status, changed.text]).toEqual([200, 'another picture']);
    expect((await ask('/images/new.webp')).text).toBe('a new picture');
    rmSync(path('art/new.webp'));
    await importCatalogue(db, readCatalogue(folder));
    expect((await ask('/images/new.webp')).status).toBe(404);
    expect((await ask('/images/mango.webp')).text).toBe('another picture');
  });

  it('an empty shop does not start with a broken catalogue', async () => {
    writeFileSync(path('store.json'), '{}');
    await expect(startApi({ database: await emptyDatabase(), catalogue: folder })).rejects.toBeInstanceOf(
      CatalogueError,
    );
  });
});
