import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi } from '#server/app/start.ts';
import { createCatalogue } from '#server/catalogue/catalogue-cache.ts';
import { runCatalogueCommand } from '#server/catalogue/folder/command.ts';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { CatalogueError, readCatalogue } from '#server/catalogue/folder/read.ts';
import { moveProduct } from '#server/catalogue/products/edit-products.ts';
import { requireProduct, updateProduct } from '#server/catalogue/stored-products.ts';
import { NOT_UTF8 } from '#server/http/sent-values.ts';
import { preparePicture } from '#server/pictures/prepare-picture.ts';
import { addPicture } from '#server/pictures/stored-pictures.ts';
import { requireStore, savePolicy } from '#server/store/stored-store.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { CATALOGUE, MANGO, PINEAPPLE, testApi } from '#tests/server/support/api.ts';
import { storedDatabase } from '#tests/server/support/databases.ts';
import { countRows } from '#tests/server/support/rows.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
  cpSync(CATALOGUE, folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const BERRIES = 'products/02-berries.json';

function edit(file: string, change: Record<string, unknown>): void {
  const list: unknown = JSON.parse(readFileSync(path(file), 'utf8'));
  if (!Array.isArray(list)) throw new Error('Not a list');
  list[0] = { ...list[0], ...change };
  writeFileSync(path(file), JSON.stringify(list));
}

/** A picture as cameras store it: rotated, with place and author. */
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
  it('ignores what macOS, Windows and servers put into folders, and exports beside it', async () => {
    const before = readCatalogue(folder);
    const junk = ['.DS_Store', '._02-berries.json', 'Thumbs.db', 'desktop.ini', '~$prices.json', 'Icon\r'];
    for (const name of [...junk, '._mango.webp', '._Rote Lampe.JPG'])
      for (const part of ['products', 'images', 'policies'])
        writeFileSync(path(`${part}/${name}`), '\0\x05\x16\x07');
    for (const name of ['__MACOSX', 'images/__MACOSX', 'products/old.json', 'images/small.webp', 'exported'])
      mkdirSync(path(name));
    expect(readCatalogue(folder)).toEqual(before);
    const { db } = await testApi({ catalogue: readCatalogue(folder) });
    writeFileSync(path('exported/.DS_Store'), '');
    expect(await runCatalogueCommand(db, ['export', path('exported')])).toContain('has what the shop sells');
  });

  it('[issue 2] reads at least 60 products of at least 8 categories, in the order of the files', () => {
    const { products, storeInfo } = readCatalogue('scripts/demo');
    expect(products.length).toBeGreaterThanOrEqual(60);
    expect(new Set(products.map(({ category }) => category)).size).toBeGreaterThanOrEqual(8);
    expect(products[0]?.category).toBe(storeInfo.categories[0]);
    // Every category has products and a picture, and every product has a category of the menu.
    expect(new Set(products.map(({ category }) => category))).toEqual(new Set(storeInfo.categories));
    expect(Object.keys(storeInfo.categoryImages)).toEqual(storeInfo.categories);
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
  ])('reports %j with file, product and field', (change, text) => {
    edit(BERRIES, change);
    expect(problems()).toEqual([`${BERRIES}[0], ${text}`]);
  });

  it('reports every problem at once: missing pictures, duplicate ids, broken JSON, unknown fields', () => {
    const taken = readCatalogue(folder).products[0]?.id.toUpperCase() ?? '';
    edit(BERRIES, { id: taken, imgUrl: 'none.webp', images: [{ url: '../store.json' }] });
    edit('products/03-goods.json', { colour: 'green' });
    writeFileSync(path('products/09-more.json'), '[');
    expect(problems()).toEqual([
      `${BERRIES} '${taken}': there is no picture 'none.webp' in images/`,
      `${BERRIES} '${taken}': there is no picture '../store.json' in images/`,
      expect.stringContaining('products/03-goods.json[0], colour:'),
      expect.stringContaining('products/09-more.json:'),
      expect.stringContaining(`${BERRIES} '${taken}': the id is taken by products/01-fruit.json`),
    ]);
  });

  it('takes pictures under any name that a camera or a person gives, and names those of one name', () => {
    const names = ['Red Lamp (1).JPG', 'Café.JPEG', 'आम.jpg', 'IMG_1.PNG'];
    for (const name of names) cpSync(path('images/mango.webp'), path(`images/${name}`));
    edit(BERRIES, { imgUrl: 'red lamp (1).jpg', images: names.slice(1).map((url) => ({ url })) });
    const { products, pictures } = readCatalogue(folder);
    const found = products.find(({ imgUrl }) => imgUrl === 'Red-Lamp-1.jpg');
    const stored = new Set(pictures.map(({ name }) => name));
    expect(found?.images.map(({ url }) => [url, stored.has(url)])).toEqual([
      [expect.stringMatching(/^Caf-[0-9a-f]{8}\.jpeg$/), true],
      [expect.stringMatching(/^[0-9a-f]{8}\.jpg$/), true],
      ['IMG_1.png', true],
    ]);
    cpSync(path('images/mango.webp'), path('images/red-lamp-1.jpg'));
    cpSync(path('images/mango.webp'), path('images/mango.gif'));
    edit(BERRIES, { imgUrl: 'mango.gif', images: [] });
    expect(problems()).toEqual([
      'images/red-lamp-1.jpg: has the same name as images/Red Lamp (1).JPG. Rename one of them.',
      expect.stringContaining("'mango.gif' is not a JPEG, PNG, WebP or AVIF picture"),
    ]);
  });

  it.each(['products/03-goods.json', 'policies/shipping.html'])('refuses %s in Latin-1', (file) => {
    writeFileSync(path(file), Buffer.from('["Käse"]', 'latin1'));
    expect(problems()).toEqual([`${file}: ${NOT_UTF8}`]);
  });
});

describe('importCatalogue', () => {
  it('imports the folder at the first start, and later only by command', async () => {
    const database = await storedDatabase(path('shop.sqlite'));
    const first = await startApi({ database, catalogue: folder });
    const total = async (url: string): Promise<unknown> =>
      (await fetch(`${url}/api/v1/products?limit=1`)).json();
    expect(await total(first.url)).toMatchObject({ data: [{ discountedPrice: 899 }] });
    await createShopClient(first).register();
    await first.close();

    edit('products/01-fruit.json', { discountedPrice: 950 });
    const second = await startApi({ database, catalogue: folder });
    expect(await total(second.url)).toMatchObject({ data: [{ discountedPrice: 899 }] });
    await importCatalogue(second.db, readCatalogue(folder));
    await second.close();

    rmSync(path('store.json'));
    const third = await startApi({ database, catalogue: folder });
    expect(await total(third.url)).toMatchObject({ data: [{ discountedPrice: 950 }] });
    expect(await countRows(third.db, 'customers')).toBe(1);
    await third.close();
  });

  it('reads the catalogue once for requests that arrive meanwhile', async () => {
    const { db } = await testApi();
    const { rows } = db;
    const gate = Promise.withResolvers<void>();
    const reads = vi.spyOn(db, 'rows').mockImplementation(async (...given: Parameters<typeof rows>) => {
      await gate.promise;
      return rows(...given);
    });
    let now = 0;
    const read = createCatalogue(db, 'https://api.example', () => now);
    const first = read();
    now += 60_000;
    const second = read();
    await expect.poll(() => reads).toHaveBeenCalled();
    gate.resolve();
    expect(await second).toBe(await first);
    // The products, what is counted, and what few are left of.
    expect(reads).toHaveBeenCalledTimes(3);
  });

  it('imports new and changed pictures, and deletes unused ones', async () => {
    const { db, ask } = await testApi();
    const first = (await ask('/images/mango.webp')).headers.get('etag');
    cpSync(path('images/logo.webp'), path('images/mango.webp'));
    cpSync(path('images/logo.webp'), path('images/new.webp'));
    edit(BERRIES, { imgUrl: 'new.webp' });
    await importCatalogue(db, readCatalogue(folder));
    const changed = await ask('/images/mango.webp', { headers: { 'If-None-Match': first ?? '' } });
    const logo = (await ask('/images/logo.webp')).text;
    expect([changed.status, changed.text]).toEqual([200, logo]);
    expect((await ask('/images/new.webp')).text).toBe(logo);
    edit(BERRIES, { imgUrl: 'mango.webp' });
    rmSync(path('images/new.webp'));
    await importCatalogue(db, readCatalogue(folder));
    expect((await ask('/images/new.webp')).status).toBe(404);
    expect((await ask('/images/mango.webp')).text).toBe(logo);
  });

  it.each(['jpeg', 'jpg', 'png', 'webp', 'avif'])(
    'removes the metadata of a %s picture, and imports its export unchanged',
    async (ending) => {
      const name = `photo.${ending}`;
      writeFileSync(path(`images/${name}`), await photo(ending === 'jpg' ? 'jpeg' : ending));
      edit(BERRIES, { imgUrl: name });
      const { app, db } = await testApi({ catalogue: readCatalogue(folder) });
      const bytes = Buffer.from(await (await app.request(`/images/${name}`)).arrayBuffer());
      const { exif, xmp, icc, orientation, format, width, height } = await sharp(bytes).metadata();
      expect({ exif, xmp, icc, orientation }).toEqual({});
      expect([format, width, height]).toEqual([{ jpg: 'jpeg', avif: 'heif' }[ending] ?? ending, 20, 40]);
      expect(bytes.includes('Asha')).toBe(false);

      await runCatalogueCommand(db, ['export', path('exported')]);
      expect(readFileSync(path(`exported/images/${name}`)).equals(bytes)).toBe(true);
      const other = await testApi({ catalogue: readCatalogue(path('exported')) });
      const again = Buffer.from(await (await other.app.request(`/images/${name}`)).arrayBuffer());
      expect(again.equals(bytes)).toBe(true);
    },
  );
});

describe('npm run catalogue', () => {
  const exported = () => path('exported');
  const NEW_TITLE = 'Mango of the folder';

  async function shop() {
    const api = await testApi({ catalogue: readCatalogue(folder) });
    const run = (...args: string[]) => runCatalogueCommand(api.db, args);
    const answers = async ({ ask, pass }: Pick<typeof api, 'ask' | 'pass'> = api) => {
      pass(1_000);
      return [(await ask('/products?limit=100')).text, (await ask('/storeInfo')).text];
    };
    return { ...api, run, answers };
  }

  it('replaces the catalogue by the folder, and keeps discontinued products in orders', async () => {
    const { run, answers, ask, pass, customer, order } = await shop();
    const berries = readCatalogue(folder).products.filter(({ category }) => category === 'Berries');
    const { token } = await customer();
    expect((await order(token, { [berries[0]?.id ?? '']: 1 })).status).toBe(201);
    const orders = (await ask('/orders', { token })).text;
    rmSync(path(BERRIES));
    edit('products/01-fruit.json', { title: NEW_TITLE });
    expect(await run('replace', folder)).toContain(
      `${berries.length} were discontinued. Orders and customers`,
    );
    expect((await answers())[0]).toContain(NEW_TITLE);
    pass(1_000);
    expect((await ask('/products?category=berries')).json).toMatchObject({ count: 0 });
    expect((await ask('/orders', { token })).text).toBe(orders);
    await run('export', exported());
    expect(readCatalogue(exported()).discontinued).toEqual(new Set(berries.map(({ id }) => id)));
  });

  it('remembers the old addresses of products and categories that the folder renames', async () => {
    const { db, run } = await shop();
    const list: { id: string; category: string }[] = JSON.parse(readFileSync(path(BERRIES), 'utf8'));
    const old = list[0];
    const renamed = list.map((product) => ({ ...product, category: 'Soft fruit' }));
    renamed[0] = { ...renamed[0], id: 'soft-1', category: 'Soft fruit' };
    writeFileSync(path(BERRIES), JSON.stringify(renamed));
    await run('replace', folder);
    const moved = { categories: { berries: 'Soft fruit' }, products: { [old?.id ?? '']: 'soft-1' } };
    expect((await requireStore(db)).moved).toEqual(moved);
    await run('export', exported());
    expect(readCatalogue(exported()).storeInfo.moved).toEqual(moved);
    await run('replace', folder);
    expect((await requireStore(db)).moved).toEqual(moved);
  });

  it('refuses to replace an edited catalogue until it is exported', async () => {
    const { run, answers, changeProduct } = await shop();
    await changeProduct(MANGO, { title: 'Mango of the admin' });
    const before = await answers();
    edit(BERRIES, { title: NEW_TITLE });
    await expect(run('replace', folder)).rejects.toThrow('Nothing was changed');
    expect(await answers()).toEqual(before);
    await run('export', exported());
    await run('replace', folder);
    expect((await answers())[0]).toContain(NEW_TITLE);
  });

  it('exports an edited catalogue as a backup, which can be restored', async () => {
    const { db, run, answers, changeProduct } = await shop();
    await changeProduct(MANGO, { title: 'Mango of the admin' });
    await db.write((transaction) => moveProduct(transaction, PINEAPPLE, undefined));
    const before = await answers();
    await expect(run('replace', folder, '--backup', folder)).rejects.toThrow('is not empty');
    await run('replace', folder, '--backup', path('backup'));
    expect((await answers())[0]).not.toContain('Mango of the admin');
    await run('replace', path('backup'));
    expect(await answers()).toEqual(before);
  });

  it('exports everything: pictures, order, policies and discontinued products', async () => {
    const { db, run, answers, changeProduct } = await shop();
    await changeProduct(MANGO, { title: 'Mango of the database' });
    const picture = await preparePicture(readFileSync(path('images/mango.webp')));
    const { name } = picture;
    await db.write((transaction) => addPicture(transaction, picture));
    await changeProduct(PINEAPPLE, { imgUrl: name });
    await db.write(async (transaction) => {
      await moveProduct(transaction, PINEAPPLE, undefined);
      await savePolicy(transaction, 'terms', '## Ours');
      await updateProduct(transaction, MANGO, { discontinued: 1 });
    });
    expect(await run('export', exported())).toContain('has what the shop sells');
    await expect(run('export', exported())).rejects.toThrow('is not empty');
    expect(readdirSync(join(exported(), 'policies'))).toEqual(['shipping.html', 'terms.md']);

    const other = await testApi({ catalogue: readCatalogue(exported()) });
    expect(await answers(other)).toEqual(await answers());
    expect((await other.ask(`/images/${name}`)).status).toBe(200);
    expect(await requireProduct(other.db, MANGO)).toMatchObject({ isDiscontinued: true });
  });

  const wrong = ['export', 'replace', 'import', 'export a --dry-run', 'export a b', 'export a --force'];
  it.each(['', ...wrong, 'export a --backup b'])('shows its usage: %s', async (words) => {
    const { run } = await shop();
    const args = words.split(' ').filter(Boolean);
    await expect(run(...args)).rejects.toThrow('npm run catalogue -- export FOLDER');
  });
});
