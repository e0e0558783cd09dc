import { hash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApi } from '#scripts/api/app/start.ts';
import { runCatalogueCommand } from '#scripts/api/catalogue/folder/command.ts';
import { CatalogueConflicts } from '#scripts/api/catalogue/folder/conflicts.ts';
import { importCatalogue } from '#scripts/api/catalogue/folder/import.ts';
import { CatalogueError, readCatalogue } from '#scripts/api/catalogue/folder/read.ts';
import { tidyJson } from '#scripts/api/catalogue/folder/tidy-json.ts';
import {
  copyOf,
  createProduct,
  moveProduct,
  saveProduct,
  takeOutOfSale,
} from '#scripts/api/catalogue/products/edit-products.ts';
import { createCatalogue } from '#scripts/api/catalogue/snapshot.ts';
import { storedProduct, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { preparePicture } from '#scripts/api/pictures/prepare-picture.ts';
import { addPicture } from '#scripts/api/pictures/stored-pictures.ts';
import { savePolicy, saveStoreRecord, storeRecord } from '#scripts/api/store/edit-store.ts';
import { CATALOGUE, catalogue, MANGO, PINEAPPLE, testApi } from '#tests/api/support/api.ts';
import { emptyDatabase, storedDatabase } from '#tests/api/support/databases.ts';

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

  it('is read once, however many ask while that takes long', async () => {
    const { db } = await testApi();
    const gate = Promise.withResolvers<void>();
    let reads = 0;
    const slow: Reader = {
      get: db.get,
      async all(row, sql, ...values) {
        reads += 1;
        await gate.promise;
        return db.all(row, sql, ...values);
      },
    };
    let now = 0;
    const read = createCatalogue(slow, 'https://api.example', () => now);
    const first = read();
    now += 60_000;
    const second = read();
    await expect.poll(() => reads).toBeGreaterThan(0);
    gate.resolve();
    expect(await second).toBe(await first);
    expect(reads).toBe(1);
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

/** Every file of a folder with a hash of its content. */
function contentsOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const names = files.map((file) => relative(root, join(file.parentPath, file.name))).sort();
  return Object.fromEntries(names.map((name) => [name, hash('sha256', readFileSync(join(root, name)))]));
}

describe('npm run catalogue', () => {
  /** A shop whose database was filled from the folder, and the command. */
  async function shop() {
    const api = await testApi({ catalogue: readCatalogue(folder) });
    const run = (...args: string[]) => runCatalogueCommand(api.db, folder, args);
    const edited = (id: string, input: Record<string, unknown>) =>
      api.db.write(async (transaction) => {
        const stored = await storedProduct(transaction, id);
        if (!stored) throw new Error('no such product');
        const { product, version } = stored;
        return saveProduct(transaction, { id, version }, { ...product, ...input });
      });
    const answers = async () => {
      api.pass(1_000);
      return [(await api.ask('/products?limit=100')).text, (await api.ask('/storeInfo')).text];
    };
    return { ...api, run, edited, answers };
  }

  const mango = { file: 'products/01-fruit.json', id: MANGO };

  it('takes what one side alone has changed', async () => {
    const { run, edited, ask, pass } = await shop();
    await edited(PINEAPPLE, { title: 'Pineapple of the database' });
    edit(mango.file, { title: 'Mango of the folder' });
    expect(await run()).toMatch(/products are on sale\. Orders and customers/);
    expect(await run()).toMatch(/Nothing has changed/);
    pass(1_000);
    expect((await ask(`/products/${PINEAPPLE}`)).json).toMatchObject({
      data: { title: 'Pineapple of the database' },
    });
    expect((await ask(`/products/${MANGO}`)).json).toMatchObject({ data: { title: 'Mango of the folder' } });
  });

  it('names both values of what both sides have changed, and changes nothing', async () => {
    const { run, edited, answers } = await shop();
    await edited(MANGO, { title: 'Mango of the database', discountedPrice: 800 });
    const before = await answers();
    edit(mango.file, { title: 'Mango of the folder', discountedPrice: 800, regularPrice: 1_000 });
    edit(BERRIES, { title: 'Berries of the folder' });
    const problem = await run().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(CatalogueConflicts);
    expect(String(problem)).toContain(
      [
        "  products/mango 'Mango of the database'",
        '    title',
        '      database  "Mango of the database"',
        '      folder    "Mango of the folder"',
        '      before    "Alphonso Mango, box of 6"',
        '    regularPrice',
        '      database  1099',
        '      folder    1000',
        '      before    1099',
      ].join('\n'),
    );
    expect(String(problem)).not.toContain('Berries');
    expect(await answers()).toEqual(before);
  });

  it.each([
    [['--take', 'folder'], 'Mango of the folder', 'Pineapple of the folder'],
    [['--take', 'database'], 'Mango of the database', 'Pineapple of the database'],
    [
      ['--take', 'database', '--take', `folder:products/${MANGO}`],
      'Mango of the folder',
      'Pineapple of the database',
    ],
  ])('%j decides, and the next import has nothing to ask', async (args, mangoTitle, pineappleTitle) => {
    const { run, edited, answers } = await shop();
    await edited(MANGO, { title: 'Mango of the database' });
    await edited(PINEAPPLE, { title: 'Pineapple of the database' });
    const products = readCatalogue(folder).products.map((product) => {
      const title = { [MANGO]: 'Mango of the folder', [PINEAPPLE]: 'Pineapple of the folder' }[product.id];
      return title === undefined ? product : { ...product, title };
    });
    rmSync(path('products'), { recursive: true });
    mkdirSync(path('products'));
    writeFileSync(path('products/1.json'), JSON.stringify(products));
    await expect(run(`--take=folder:products/${MANGO}`)).rejects.toThrow('Pineapple of the folder');
    await run(...args);
    const [list] = await answers();
    expect(list).toContain(mangoTitle);
    expect(list).toContain(pineappleTitle);
    expect(await run()).toMatch(/Nothing has changed/);
  });

  it('keeps a product out of sale that the office took out, and one on sale that it has made', async () => {
    const { db, run, ask, pass } = await shop();
    await db.write((transaction) => takeOutOfSale(transaction, { id: PINEAPPLE, version: 1 }));
    const copy = { ...copyOf(catalogue.products[0] ?? expect.fail()), title: 'New mango' };
    await db.write((transaction) => createProduct(transaction, copy, '2026-01-05T10:00:00Z'));
    rmSync(path(BERRIES));
    await run();
    pass(1_000);
    expect((await ask(`/products/${PINEAPPLE}`)).status).toBe(404);
    expect((await ask('/products/new-mango')).status).toBe(200);
    expect((await ask('/products?category=berries')).json).toMatchObject({ count: 0 });
  });

  it('a product that one side has deleted and the other has changed is a conflict', async () => {
    const { run, edited } = await shop();
    const [berry] = readCatalogue(folder).products.filter(({ category }) => category === 'Berries');
    await edited(berry?.id ?? '', { title: 'Berries of the database' });
    rmSync(path(BERRIES));
    await expect(run()).rejects.toThrow(
      /products\/.*\n.*database .*Berries of the database.*\n.*folder +is not there/,
    );
    await run('--take', 'folder');
    expect(await run()).toMatch(/Nothing has changed/);
  });

  it('merges orders: each side’s moves and new products; two other orders are a conflict', async () => {
    const { db, run } = await shop();
    const ids = async () =>
      (await storedProducts(db)).filter(({ isOnSale }) => isOnSale).map(({ product }) => product.id);
    const before = await ids();
    const [first = '', second = '', third = ''] = before;
    await db.write((transaction) => moveProduct(transaction, third, first));
    edit(BERRIES, { id: 'new-berry' });
    await run();
    const merged = await ids();
    expect(merged.slice(0, 3)).toEqual([third, first, second]);
    expect(merged).toContain('new-berry');
    const list: unknown = JSON.parse(readFileSync(path(mango.file), 'utf8'));
    if (!Array.isArray(list)) throw new Error('Not a list');
    writeFileSync(path(mango.file), JSON.stringify(list.toReversed()));
    await expect(run()).rejects.toThrow('another order');
    await run('--take', 'folder:order');
    expect((await ids())[0]).toBe(list.at(-1).id);
  });

  it('merges the store record by its fields, policies and pictures of categories', async () => {
    const { db, run, ask, pass } = await shop();
    const record = await storeRecord(db);
    await db.write((transaction) =>
      saveStoreRecord(transaction, { ...record, storeName: 'Of the database' }),
    );
    await db.write((transaction) => savePolicy(transaction, 'terms', '<p>Terms</p>'));
    const store: object = JSON.parse(readFileSync(path('store.json'), 'utf8'));
    const write = (change: object) =>
      writeFileSync(path('store.json'), JSON.stringify({ ...store, ...change }));
    write({ companyPhone: '+91 1' });
    writeFileSync(path('policies/shipping.html'), '<p>Shipping</p>');
    await run();
    pass(1_000);
    expect((await ask('/storeInfo')).json).toMatchObject({
      storeName: 'Of the database',
      companyPhone: '+91 1',
      policies: { terms: '<p>Terms</p>', shipping: '<p>Shipping</p>' },
    });
    write({ companyPhone: '+91 1', storeName: 'Of the folder' });
    await expect(run()).rejects.toThrow(
      /store\.json\/storeName\n +database +"Of the database"\n +folder +"Of the folder"/,
    );
  });

  it('exports what is on sale, byte for byte the same each time, and an import of that changes nothing', async () => {
    const { db, run, edited, answers } = await shop();
    await edited(MANGO, { title: 'Mango of the database', attributes: [] });
    const picture = await preparePicture(readFileSync(path('art/mango.webp')));
    if (picture.status === 'refused') throw new Error(picture.reason);
    await db.write((transaction) => addPicture(transaction, picture.picture));
    await edited(PINEAPPLE, { imgUrl: picture.picture.name });
    await db.write((transaction) => moveProduct(transaction, PINEAPPLE, undefined));
    const exported = path('exported');
    expect(await run('export', exported)).toContain('holds what is on sale');
    await expect(run('export', exported)).rejects.toThrow('is not empty');

    const other = await testApi({ catalogue: readCatalogue(exported) });
    const sent = [(await other.ask('/products?limit=100')).text, (await other.ask('/storeInfo')).text];
    expect(sent).toEqual(await answers());
    expect((await other.ask(`/images/${picture.picture.name}`)).status).toBe(200);
    await runCatalogueCommand(other.db, 'none', ['export', path('again')]);
    expect(contentsOf(path('again'))).toEqual(contentsOf(exported));
    expect(await runCatalogueCommand(db, exported, ['--take', 'folder'])).toMatch(/Nothing has changed/);
  });

  it('exports into its own folder only what differs, and then an edit there is no conflict', async () => {
    const { run, edited, ask, pass } = await shop();
    const before = contentsOf(folder);
    await run('export');
    expect(contentsOf(folder)).toEqual(before);
    await edited(MANGO, { title: 'Mango of the database' });
    await run('export');
    const after = contentsOf(folder);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual([mango.file]);
    edit(mango.file, { title: 'Mango of the folder' });
    await expect(run('export')).rejects.toThrow('has changes that were not imported');
    await run();
    pass(1_000);
    expect((await ask(`/products/${MANGO}`)).json).toMatchObject({ data: { title: 'Mango of the folder' } });
  });

  it('says how it is used', async () => {
    const { run } = await shop();
    for (const args of [['--take', 'nobody'], ['import'], ['export', 'a', 'b'], ['--force']]) {
      await expect(run(...args)).rejects.toThrow('npm run catalogue -- export FOLDER');
    }
  });
});

it('the demo catalogue is written as it stands in the repository', () => {
  const files = [
    ...readdirSync('scripts/catalogue/products').map((name) => `products/${name}`),
    'store.json',
  ];
  for (const file of files) {
    const text = readFileSync(join('scripts/catalogue', file), 'utf8');
    expect(tidyJson(JSON.parse(text))).toBe(text);
  }
});
