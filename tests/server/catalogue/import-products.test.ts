import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCatalogueCommand } from '#server/catalogue/folder/command.ts';
import { importProducts } from '#server/catalogue/folder/import-products.ts';
import { readProductExport } from '#server/catalogue/folder/product-export.ts';
import { requireProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { CATALOGUE, MANGO, testApi } from '#tests/server/support/api.ts';

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');

const SHOPIFY = ['Handle', 'Title', 'Body (HTML)', 'Type', 'Status', 'Option1 Name', 'Option1 Value']
  .concat(['Option2 Name', 'Option2 Value', 'Option3 Name', 'Option3 Value', 'Variant Price'])
  .concat(['Variant Compare At Price', 'Image Src', 'Image Position']);

/** A row of Shopify by its columns. */
const row = (cells: Record<string, string>): string[] => SHOPIFY.map((name) => cells[name] ?? '');

const shopify = (...rows: Record<string, string>[]): string => csv([SHOPIFY, ...rows.map(row)]);

const LAMP = { Handle: 'lamp', Title: 'Lamp', Type: 'Home', 'Variant Price': '100' };

describe('a product export', () => {
  it.each([
    ['<p>Two&nbsp;&amp; a half</p>\n<ul><li>One</li><li><p>Two</p></li></ul>', 'Two & a half\n- One\n- Two'],
    ['First line\nsecond &lt;b&gt;', 'First line\nsecond <b>'],
    ['a<br>b<script>alert(1)</script><style>p{}</style>', 'a\nb'],
    ['bell \u0007, mark \u202e, null&#0;', 'bell , mark , null\ufffd'],
  ])('has its HTML as text: %j', async (html, description) => {
    const { products } = await readProductExport(shopify({ ...LAMP, 'Body (HTML)': html }));
    expect(products[0]?.fields.description).toBe(description);
  });

  it.each([
    ['12,50', '', 12.5, null],
    ['1.299,00', '', 1_299, null],
    ['₹1,299', '1500.00', 1_500, 1_299],
    ['100', '90', 100, null],
    ['19.9000', '', 19.9, null],
  ])('has the price %s before %s', async (price, compared, regularPrice, discountedPrice) => {
    const text = shopify({ ...LAMP, 'Variant Price': price, 'Variant Compare At Price': compared });
    const { products } = await readProductExport(text);
    expect(products[0]?.fields).toMatchObject({ regularPrice, discountedPrice });
  });

  it('reads byte order marks, CRLF and semicolons', async () => {
    const text = 'Handle;Title;Variant Price\nlamp;"Lamp; ""large""\nand old";12,50\n';
    const { products } = await readProductExport(`\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(products).toMatchObject([
      { id: 'lamp', title: 'Lamp; "large" and old', fields: { regularPrice: 12.5 } },
    ]);
  });

  it('divides variants by price and by a third option, and names what differs', async () => {
    const variant = (price: string, ...[size = '', color = '', plug = '']: string[]) => ({
      ...{ Handle: 'lamp', 'Variant Price': price },
      ...{ 'Option1 Value': size, 'Option2 Value': color, 'Option3 Value': plug },
    });
    const options = { 'Option1 Name': 'Size', 'Option2 Name': 'Color', 'Option3 Name': 'Plug' };
    const { products, remarks } = await readProductExport(
      shopify(
        { ...LAMP, ...options, ...variant('100', 'S', 'Red', 'EU') },
        variant('100', 'M', 'Blue', 'EU'),
        variant('120', 'L', 'Red', 'EU'),
        variant('100', 'S', 'Red', 'UK'),
      ),
    );
    const choices = (...sizes: string[]) => expect.arrayContaining([{ key: 'size', values: sizes }]);
    expect(products.map(({ id, title, fields }) => [id, title, fields.attributes])).toEqual([
      ['lamp', 'Lamp', choices('S', 'M')],
      ['lamp-l-red', 'Lamp, L, Red', choices('L')],
      ['lamp-s-red-uk', 'Lamp, S, Red, UK', choices('S')],
    ]);
    expect(remarks.map(({ title, remark }) => `${title}. ${remark}`)).toEqual([
      'Lamp. Look at this: became several, because its variants differ in price or a third option',
      'Lamp. Look at this: lacks some pairs of size and colour, which can be chosen here',
    ]);
  });

  it('adds up the pieces of a size, and does not count what is sold without stock', async () => {
    const heads = [
      ...SHOPIFY,
      'Variant Inventory Tracker',
      'Variant Inventory Qty',
      'Variant Inventory Policy',
    ];
    const variant = (size: string, colour: string, pieces: string, policy = 'deny') => [
      ...row({
        ...{ ...LAMP, 'Option1 Name': 'Size', 'Option1 Value': size },
        ...{ 'Option2 Name': 'Color', 'Option2 Value': colour },
      }),
      ...['shopify', pieces, policy],
    ];
    const stockIn = async (...rows: string[][]) =>
      (await readProductExport(csv([heads, ...rows]))).products.map(({ stock }) => Object.fromEntries(stock));
    const small = [variant('S', 'Red', '2'), variant('S', 'Blue', '3')];
    expect(await stockIn(...small, variant('M', 'Red', '-1'))).toEqual([{ S: 5, M: 0 }]);
    expect(await stockIn(...small, variant('M', 'Red', '1', 'continue'))).toEqual([{}]);
  });

  it('reads WooCommerce: variations, planned sales, categories, and what this shop does not sell', async () => {
    const heads = [
      ...'ID|Type|Name|SKU|Published|In stock?|Stock|Backorders allowed?|Description|Regular price|Sale price|Categories'.split(
        '|',
      ),
      ...'Date sale price starts|Date sale price ends|Images|Parent|Attribute 1 name'.split('|'),
      ...'Attribute 1 value(s)|Attribute 2 name|Attribute 2 value(s)'.split('|'),
    ];
    let ids = 0;
    const woo = (Type: string, Name: string, cells: Record<string, string> = {}) => {
      ids += 1;
      return heads.map((name) => ({ ...cells, ID: String(ids), Type, Name })[name] ?? '');
    };
    const sized = (values: string) => ({ 'Attribute 1 name': 'Size', 'Attribute 1 value(s)': values });
    const { products, remarks } = await readProductExport(
      csv([
        heads,
        woo('variable', 'Tee &amp; top', {
          ...{
            SKU: 'tee',
            Published: '1',
            Description: 'A\\n\\nB',
            Categories: 'Clothing > Tees\\, tops, Sale',
            ...{ 'In stock?': '1', Stock: '9' },
          },
          Images: 'https://a.example/1.jpg, https://a.example/2.jpg',
          ...{ ...sized('S, M'), 'Attribute 2 name': 'Fabric', 'Attribute 2 value(s)': 'Cotton' },
        }),
        woo('variation', 'Tee - S', { Parent: 'tee', 'Regular price': '300', ...sized('S') }),
        woo('variation', 'Tee - M', { Parent: 'id:1', 'Regular price': '300', ...sized('M') }),
        woo('simple', 'Плащ', {
          ...{ Published: "'-1", 'In stock?': '0', 'Regular price': '90', 'Sale price': '80' },
          ...{ 'Date sale price starts': '2026-01-02', 'Date sale price ends': '2026-01-03' },
        }),
        woo('simple', 'Pot', { 'Regular price': '5', Stock: '3', 'Backorders allowed?': 'notify' }),
        woo('grouped', 'Set'),
        woo('simple, downloadable, virtual', 'Song', { 'Regular price': '9' }),
        woo('variation', 'Orphan', { Parent: 'gone' }),
        woo('simple', 'Free'),
      ]),
    );
    expect(products).toMatchObject([
      {
        id: 'tee',
        title: 'Tee & top',
        stock: new Map([['', 9]]),
        fields: {
          description: 'A\n\nB',
          category: 'Tees, tops',
          parentCategory: 'Clothing',
          attributes: [{ key: 'Fabric' }, { key: 'size', values: ['S', 'M'] }],
        },
        pictures: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      },
      {
        id: 'product-4',
        isDraft: true,
        stock: new Map([['', 0]]),
        fields: { saleFrom: '2026-01-02T00:00+05:30', saleUntil: '2026-01-03T23:59+05:30' },
      },
      { id: 'pot', stock: new Map() },
    ]);
    expect(remarks.map(({ title, remark }) => [title, remark])).toEqual([
      ['Set', 'Left out: is a group of other products'],
      ['Song', 'Left out: is a download or a service'],
      ['Free', 'Left out: has no price'],
      ['Orphan', 'Left out: is a variation whose product is not in the file'],
    ]);
  });

  it('has brand and number as attributes, unless its sizes have several', async () => {
    const barcode = (code: string, price = '100') => `Philips,HR-7,${price},${code}\n`;
    const read = async (...rows: string[]) => {
      const heads =
        'Handle,Title,Option1 Name,Option1 Value,Vendor,Google Shopping / MPN,Variant Price,Variant Barcode';
      const { products } = await readProductExport(`${heads}\n${rows.join('')}`);
      return products.map(({ fields }) => fields.attributes);
    };
    const own = [
      { key: 'Brand', values: ['Philips'] },
      { key: 'MPN', values: ['HR-7'] },
    ];
    const gtin = { key: 'GTIN', values: ['8901234567890'] };
    expect(await read(`lamp,Lamp,Title,Default Title,${barcode("'8901234567890")}`)).toEqual([
      [...own, gtin],
    ]);
    expect(await read(`lamp,Lamp,Title,Default Title,${barcode('8.9E+12')}`)).toEqual([own]);
    const sizes = [`lamp,Lamp,Size,S,${barcode('8901234567890')}`, `lamp,,,M,${barcode('4006381333931')}`];
    expect(await read(...sizes)).toEqual([[...own, { key: 'size', values: ['S', 'M'] }]]);
  });

  it('names handles that are taken by another title, and the language to export in', async () => {
    const other = { ...LAMP, Title: 'Other', Handle: 'LAMP' };
    const { products, remarks } = await readProductExport(shopify(LAMP, other));
    const leftOut = { title: 'Other', remark: 'Left out: has the handle of “Lamp”, lamp' };
    expect([products.length, remarks]).toEqual([1, [leftOut]]);
    await expect(readProductExport('ID,Typ,Name\n1,simple,Lampe\n')).rejects.toThrow('to English');
  });
});

describe('npm run catalogue -- import', () => {
  const picture = readFileSync(`${CATALOGUE}/images/mango.webp`);

  async function shop() {
    const api = await testApi();
    const file = join(temporaryFolder(), 'products.csv');
    const run = async (text: string | Uint8Array, isDryRun = false) => {
      writeFileSync(file, text);
      return importProducts(api.db, file, {
        isDryRun,
        fetchPicture: async (address) => {
          if (address.includes('gone')) throw new Error('answered 404');
          return picture;
        },
      });
    };
    return { ...api, file, run };
  }

  const PICTURED = { ...LAMP, 'Image Src': 'https://old.example/lamp.jpg' };

  it('adds products, changes those with the same handle, and removes none', async () => {
    const { db, run, ask, pass } = await shop();
    const before = await storedProducts(db);
    const mango = { ...PICTURED, Handle: 'Mango', Title: 'Mango of the old shop' };
    const text = shopify(PICTURED, mango);
    expect(await run(text, true)).toMatch(
      /Would be added \(1\): “Lamp”.\nWould be changed \(1\): “Mango of the old shop”./,
    );
    expect(await storedProducts(db)).toEqual(before);
    expect(await run(text)).toMatch(/Added \(1\): “Lamp”.\nChanged \(1\)/);
    expect((await storedProducts(db)).map(({ product }) => product.id)).toEqual([
      ...before.map(({ product }) => product.id),
      'lamp',
    ]);
    expect(await requireProduct(db, MANGO)).toMatchObject({
      product: { title: 'Mango of the old shop', createdAt: before[0]?.product.createdAt },
    });
    const lamp = await requireProduct(db, 'lamp');
    expect((await ask(`/images/${lamp.product.imgUrl}`)).headers.get('content-type')).toBe('image/webp');
    pass(1_000);
    expect((await ask('/products/lamp')).json).toMatchObject({ data: { title: 'Lamp' } });
    expect(await run(text)).toContain('As in the file already (2): “Lamp”, “Mango of the old shop”.');
    expect(await requireProduct(db, 'lamp')).toEqual(lamp);
  });

  it('keeps what the file has not, and pictures that cannot be loaded again', async () => {
    const { db, run, changeProduct } = await shop();
    await run(shopify(PICTURED));
    await changeProduct('lamp', { attributes: [{ key: 'Origin', values: ['Goa'] }] });
    const { product } = await requireProduct(db, 'lamp');
    const text = 'Handle,Title,Variant Price,Image Src\nlamp,Lamp,90,https://old.example/gone.jpg\n';
    const lost = 'Look at this: a picture could not be loaded: answered 404 (1): “Lamp”';
    expect(await run(text)).toContain(lost);
    expect(await requireProduct(db, 'lamp')).toMatchObject({
      isDiscontinued: false,
      product: { ...product, regularPrice: 90 },
    });
  });

  it('keeps drafts and products without a picture off sale, and says so by their titles', async () => {
    const { db, run } = await shop();
    const draft = { ...PICTURED, Handle: 'draft', Title: 'Draft', Status: 'draft' };
    const summary = await run(shopify(LAMP, draft, { ...LAMP, Handle: 'x', Title: 'Long '.repeat(50) }));
    expect(summary).toMatch(/Not on sale: it has no picture[^“]*“Lamp”/);
    expect(summary).toMatch(/Not on sale: it is a draft[^“]*“Draft”/);
    expect(summary).toContain('Left out: its title has more than 200 characters (1): “Long');
    const added = (await storedProducts(db)).slice(-2);
    expect(added).toMatchObject([{ isDiscontinued: true }, { isDiscontinued: true }]);
    await run(shopify(PICTURED));
    expect(await requireProduct(db, 'lamp')).toMatchObject({ isDiscontinued: false });
  });

  it('fetches no picture from an internal address', async () => {
    const { db, file } = await shop();
    writeFileSync(file, shopify({ ...LAMP, 'Image Src': 'http://localhost:8044/images/mango.webp' }));
    expect(await runCatalogueCommand(db, ['import', file])).toContain('internal address');
  });

  it('takes 5,000 rows', async () => {
    const { db, run } = await shop();
    const lamp = (index: number) => ({ ...PICTURED, Handle: `lamp-${index}`, Title: `Lamp ${index}` });
    const many = Array.from({ length: 5_000 }, (_, index) => lamp(index));
    expect(await run(shopify(...many))).toContain('Added (5000)');
    expect((await storedProducts(db)).length).toBeGreaterThan(5_000);
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffHandle,Title\n', 'utf16le')],
    ['Latin-1', Buffer.from('Handle,Title\nk\u00e4se,K\u00e4se\n', 'latin1')],
  ])('refuses %s: save as UTF-8', async (_name, bytes) => {
    const { run } = await shop();
    await expect(run(bytes)).rejects.toThrow('save as UTF-8');
  });
});
