import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApi } from '#scripts/api/app/start.ts';
import { runCatalogueCommand } from '#scripts/api/catalogue/folder/command.ts';
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
import { storedProduct } from '#scripts/api/catalogue/stored-products.ts';
import type { Database, Reader } from '#scripts/api/db/database.ts';
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
const filesIn = (name: string) => readdirSync(path(name)).map((file) => join(name, file));
const BERRIES = 'products/02-berries.json';

/** Changes the first product of a file. */
function edit(file: string, change: Record<string, unknown>): void {
  const list: unknown = JSON.parse(readFileSync(path(file), 'utf8'));
  if (!Array.isArray(list)) throw new Error('Not a list');
  list[0] = { ...list[0], ...change };
  writeFileSync(path(file), JSON.stringify(list));
}

/** A picture as a camera stores it: lying on its side, with its place and author. */
const photo = (format: string): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#fa0' } })
    .withExif({ IFD0: { Copyright: 'Asha' }, IFD3: { GPSLatitude: '18/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toFormat(v.parse(v.picklist(['jpeg', 'png', 'webp', 'avif']), format))
    .toBuffer();

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

  it('reads what the README shows of store.json', () => {
    const [, shown] =
      /```json\n("siteUrl"[\s\S]*?)\n```/.exec(readFileSync('scripts/catalogue/README.md', 'utf8')) ?? [];
    const said: unknown = JSON.parse(`{${shown}}`);
    const before: unknown = JSON.parse(readFileSync(path('store.json'), 'utf8'));
    writeFileSync(path('store.json'), JSON.stringify(Object.assign({}, before, said)));
    expect(readCatalogue(folder).storeInfo).toMatchObject(Object(said));
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
      transaction.run(
        "INSERT INTO users (id, email, password_hash, first_name, last_name, created_at) VALUES ('u', 'asha@example.com', 'x', 'Asha', 'Rao', 0)",
      ),
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
    cpSync(path('art/logo.webp'), path('art/mango.webp'));
    cpSync(path('art/logo.webp'), path('art/new.webp'));
    await importCatalogue(db, readCatalogue(folder));
    const changed = await ask('/images/mango.webp', { headers: { 'If-None-Match': first ?? '' } });
    const logo = (await ask('/images/logo.webp')).text;
    expect([changed.status, changed.text]).toEqual([200, logo]);
    expect((await ask('/images/new.webp')).text).toBe(logo);
    rmSync(path('art/new.webp'));
    await importCatalogue(db, readCatalogue(folder));
    expect((await ask('/images/new.webp')).status).toBe(404);
    expect((await ask('/images/mango.webp')).text).toBe(logo);
  });

  it.each(['jpeg', 'jpg', 'png', 'webp', 'avif'])(
    '[fault 125] publishes a %s picture without what the camera says of it, and takes its export as it is',
    async (ending) => {
      const name = `photo.${ending}`;
      writeFileSync(path(`art/${name}`), await photo(ending === 'jpg' ? 'jpeg' : ending));
      const { app, db } = await testApi({ catalogue: readCatalogue(folder) });
      const bytes = Buffer.from(await (await app.request(`/images/${name}`)).arrayBuffer());
      const { exif, xmp, icc, orientation, format, width, height } = await sharp(bytes).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      expect([format, width, height]).toEqual([{ jpg: 'jpeg', avif: 'heif' }[ending] ?? ending, 20, 40]);
      expect(bytes.includes('Asha')).toBe(false);
      expect(await importCatalogue(db, readCatalogue(folder))).toMatchObject({ changed: false });

      await runCatalogueCommand(db, folder, ['export']);
      expect(readFileSync(path(`art/${name}`)).equals(bytes)).toBe(true);
      const other = await testApi({ catalogue: readCatalogue(folder) });
      const again = Buffer.from(await (await other.app.request(`/images/${name}`)).arrayBuffer());
      expect(again.equals(bytes)).toBe(true);
    },
  );

  it('names each picture that is none, and changes nothing', async () => {
    const { db, ask } = await testApi();
    writeFileSync(path('art/mango.webp'), 'not a picture');
    writeFileSync(path('art/new.png'), 'neither');
    await expect(importCatalogue(db, readCatalogue(folder))).rejects.toThrow(
      /art\/mango\.webp: This is not .*\n.*art\/new\.png: This is not/,
    );
    expect((await ask('/images/new.png')).status).toBe(404);
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
        return saveProduct(transaction, id, { ...stored.product, ...input });
      });
    const answers = async () => {
      api.pass(1_000);
      return [(await api.ask('/products?limit=100')).text, (await api.ask('/storeInfo')).text];
    };
    return { ...api, run, edited, answers };
  }

  const mangoFile = 'products/01-fruit.json';
  it('replaces what the shop sells by the folder; the second time nothing changes', async () => {
    const { run, answers } = await shop();
    edit(mangoFile, { title: 'Mango of the folder' });
    expect(await run()).toMatch(/products are on sale\. Orders and customers/);
    expect((await answers())[0]).toContain('Mango of the folder');
    expect(await run()).toMatch(/Nothing has changed/);
  });

  /** What the office may change, and how an import names it. */
  const EDITS: readonly [string, (db: Database) => Promise<unknown>][] = [
    [
      "products/mango 'Of the office'",
      (db) => db.write((tx) => saveProduct(tx, MANGO, { ...first, title: 'Of the office' })),
    ],
    [
      "products/new-mango 'New mango'",
      (db) => db.write((tx) => createProduct(tx, { ...copyOf(first), title: 'New mango' }, first.createdAt)),
    ],
    ["products/pineapple 'Vazhakulam Pineapple'", (db) => db.write((tx) => takeOutOfSale(tx, PINEAPPLE))],
    ['the order of the products', (db) => db.write((tx) => moveProduct(tx, PINEAPPLE, MANGO))],
    [
      'store.json companyPhone',
      async (db) => {
        const value = await storeRecord(db);
        return db.write((tx) => saveStoreRecord(tx, { ...value, companyPhone: '+91 1' }));
      },
    ],
    ['policies/terms', (db) => db.write((tx) => savePolicy(tx, 'terms', '<p>Terms</p>'))],
  ];
  const first = catalogue.products[0] ?? expect.fail();

  it.each(EDITS)('refuses where the office has changed %s, until that was exported', async (name, change) => {
    const { db, run, answers } = await shop();
    await change(db);
    const before = await answers();
    edit(BERRIES, { title: 'Berries of the folder' });
    const refusal = String(await run().catch((error: unknown) => error));
    expect(refusal.split('\n').filter((line) => line.startsWith('  '))).toEqual([`  ${name}`]);
    expect(refusal).toContain('Export, merge, import');
    expect(await answers()).toEqual(before);

    await run('export', path('office'));
    await run();
    const [list] = await answers();
    expect(list).toContain('Berries of the folder');
  });

  it('takes a folder that has what the office changed', async () => {
    const { run, edited } = await shop();
    await edited(MANGO, { title: 'Mango' });
    edit(mangoFile, { title: 'Mango', regularPrice: 1_000 });
    await expect(run()).rejects.toThrow("products/mango 'Mango'");
    edit(mangoFile, { title: 'Mango', regularPrice: first.regularPrice });
    expect(await run()).toMatch(/Nothing has changed/);
  });

  it('a product out of sale is in the folder, and can be sold again from there', async () => {
    const { db, run, ask, pass } = await shop();
    await db.write((transaction) => takeOutOfSale(transaction, PINEAPPLE));
    await run('export');
    const { outOfSale, products } = readCatalogue(folder);
    expect([...outOfSale]).toEqual([PINEAPPLE]);
    expect(products.map(({ id }) => id)).toEqual(catalogue.products.map(({ id }) => id));
    const other = await testApi({ catalogue: readCatalogue(folder) });
    expect(await storedProduct(other.db, PINEAPPLE)).toMatchObject({ isOnSale: false });
    for (const file of filesIn('products')) {
      writeFileSync(path(file), readFileSync(path(file), 'utf8').replace(/,\s*"isOnSale": false/, ''));
    }
    await run();
    pass(1_000);
    expect((await ask(`/products/${PINEAPPLE}`)).status).toBe(200);
  });

  it('a record that is deleted takes its product out of sale, orders keep it, and the next export writes it so', async () => {
    const { run, ask, pass, customer, order } = await shop();
    const gone = readCatalogue(folder).products.filter(({ category }) => category === 'Berries');
    const { token } = await customer();
    expect((await order(token, { [gone[0]?.id ?? '']: 1 })).status).toBe(201);
    const orders = (await ask('/orders', { token })).text;
    rmSync(path(BERRIES));
    expect(await run()).toContain(`${gone.length} no longer`);
    pass(1_000);
    expect((await ask('/products?category=berries')).json).toMatchObject({ count: 0 });
    expect((await ask('/orders', { token })).text).toBe(orders);
    expect(await run()).toMatch(/Nothing has changed/);
    await run('export');
    expect(readCatalogue(folder).outOfSale).toEqual(new Set(gone.map(({ id }) => id)));
    expect(await run()).toMatch(/Nothing has changed/);
  });

  it('exports what the shop sells, byte for byte the same each time, and an import of that changes nothing', async () => {
    const { db, run, edited, answers } = await shop();
    await edited(MANGO, { title: 'Mango of the database', attributes: [] });
    const picture = await preparePicture(readFileSync(path('art/mango.webp')));
    if (picture.status === 'refused') throw new Error(picture.reason);
    await db.write((transaction) => addPicture(transaction, picture.picture));
    await edited(PINEAPPLE, { imgUrl: picture.picture.name });
    await db.write((transaction) => moveProduct(transaction, PINEAPPLE, undefined));
    const exported = path('exported');
    expect(await run('export', exported)).toContain('holds what the shop sells');
    await expect(run('export', exported)).rejects.toThrow('is not empty');

    const other = await testApi({ catalogue: readCatalogue(exported) });
    const sent = [(await other.ask('/products?limit=100')).text, (await other.ask('/storeInfo')).text];
    expect(sent).toEqual(await answers());
    expect((await other.ask(`/images/${picture.picture.name}`)).status).toBe(200);
    await runCatalogueCommand(other.db, 'none', ['export', path('again')]);
    expect(contentsOf(path('again'))).toEqual(contentsOf(exported));
    expect(await runCatalogueCommand(db, exported, [])).toMatch(/Nothing has changed/);
  });

  it('takes a policy in Markdown or HTML, and exports each in a file of its kind', async () => {
    const { db } = await testApi({ catalogue: readCatalogue(folder) });
    const own = (text: string) => db.write((transaction) => savePolicy(transaction, 'shipping', text));
    await runCatalogueCommand(db, folder, ['export']);
    await own('## Ours');
    await runCatalogueCommand(db, folder, ['export']);
    expect(readdirSync(path('policies'))).toEqual(['shipping.md']);
    expect(readCatalogue(folder).storeInfo.policies).toEqual({ shipping: '## Ours' });
    await own('<h2>Ours</h2>');
    await runCatalogueCommand(db, folder, ['export']);
    expect(readdirSync(path('policies'))).toEqual(['shipping.html']);
    writeFileSync(path('policies/shipping.html'), ' ');
    expect(problems()).toEqual(['policies/shipping.html: must not be empty']);
  });

  it('exports into its own folder only what differs, and never over what was not imported', async () => {
    const { run, edited, ask, pass } = await shop();
    const before = contentsOf(folder);
    await run('export');
    expect(contentsOf(folder)).toEqual(before);
    await edited(MANGO, { title: 'Mango of the database' });
    await run('export');
    const after = contentsOf(folder);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual([mangoFile]);
    edit(mangoFile, { title: 'Mango of the folder' });
    await expect(run('export')).rejects.toThrow('has changes that were not imported');
    await run();
    pass(1_000);
    expect((await ask(`/products/${MANGO}`)).json).toMatchObject({ data: { title: 'Mango of the folder' } });
  });

  it('says how it is used', async () => {
    const { run } = await shop();
    for (const args of [['--take', 'folder'], ['import'], ['export', 'a', 'b'], ['export', '--force']]) {
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
