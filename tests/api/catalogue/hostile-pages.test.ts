import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type CatalogueProduct, ProductSchema } from '#scripts/api/catalogue/schema.ts';
import { replaceProduct, storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import { setMeta } from '#scripts/api/db/meta.ts';
import { readCsv } from '#scripts/api/office/csv.ts';
import { MANGO } from '#tests/api/support/api.ts';
import { hostileTexts } from '#tests/api/support/hostile.ts';
import { filledForm, officeApi } from '#tests/api/support/office.ts';

const CATALOGUE = '/office/catalogue';
const hostile = hostileTexts
  .map((text) => text.replaceAll('\0', '').trim())
  .filter((text) => text !== '' && text.length <= 100);

/** The parts of a page's HTML: what stands in it as text or as a field's value, and what it is made of. */
function read(html: string) {
  const texts = new Set<string>();
  const made = new Set<string>();
  let text = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      text = '';
      made.add(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        made.add(
          attribute === 'src' || attribute === 'href' ? `${attribute} ${value.slice(0, 4)}` : attribute,
        );
        texts.add(value.trim());
      }
    },
    ontext(part) {
      text += part;
    },
    onclosetag() {
      for (const line of text.split('\n')) texts.add(line.trim());
      texts.add(text.trim());
    },
  });
  parser.end(html);
  return { texts, made };
}

const SIZES = 6;
const ROWS = 95;
/** So many that 10,000 strings are shown: four fields, sizes and colours, and of each attribute a name, two values. */
const PRODUCTS = 34;

function hostileProduct(strings: readonly string[], like: CatalogueProduct): CatalogueProduct {
  let next = 0;
  const take = (): string => strings[next++] ?? 'x';
  const list = (count: number): string[] => Array.from({ length: count }, take);
  // A line break is where a value ends, so none can have one.
  const lines = (count: number): string[] =>
    list(count).map((text) => text.replaceAll(/[\r\n\u2028\u2029]/g, ' ').trim());
  return v.parse(ProductSchema, {
    ...like,
    title: take(),
    category: take(),
    parentCategory: take(),
    description: take(),
    attributes: [
      ...Array.from({ length: ROWS }, () => ({ key: `${take()}x`.slice(0, 100), values: lines(2) })),
      { key: 'size', values: lines(SIZES) },
      { key: 'colour', values: lines(SIZES) },
    ],
  });
}

/** A browser writes every line break of a field in the same way. */
const folded = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

test('[fault 103] 10,000 hostile strings in products are text on every page of the catalogue, and no formula in its CSV', async () => {
  const { db, staff } = await officeApi();
  const editor = await staff('owner');
  const good = (await storedProducts(db)).map(({ product }) => product);
  const pageOf = (id: string): string => `${CATALOGUE}/products/${encodeURIComponent(id)}`;
  const { text: oldPage } = await editor.get(pageOf(MANGO));

  /** Every page of the catalogue that shows this product, and the log. */
  async function pages(id: string): Promise<readonly string[]> {
    const { text: edit } = await editor.get(pageOf(id));
    const form = filledForm(edit, pageOf(id), { do: 'preview', regularPrice: '50', discountedPrice: '40' });
    const preview = await editor.post(pageOf(id), form);
    form.set('do', 'save');
    form.set('regularPrice', 'x');
    const refused = await editor.post(pageOf(id), form);
    expect([preview.status, refused.status]).toEqual([200, 422]);
    return [edit, preview.text, refused.text];
  }
  const lists = async () =>
    (
      await Promise.all(
        ['', '/sort', '/new', `?q=${encodeURIComponent('<script>')}`].map((path) =>
          editor.get(CATALOGUE + path),
        ),
      )
    ).map(({ text }) => text);
  /** Both values of a product, and what prices would change. */
  async function others(form: string): Promise<readonly string[]> {
    const stale = await editor.post(
      pageOf(MANGO),
      filledForm(form, pageOf(MANGO), { do: 'save', title: 'Mine', category: 'Mine' }),
    );
    const prices = await editor.submit(`${CATALOGUE}/prices`, `${CATALOGUE}/prices`, {
      text: `id,regular price,sale price\n${MANGO},5000,\n"<b>=1</b>",1,\n`,
    });
    const shown = await editor.submit(`${CATALOGUE}/prices`, `${CATALOGUE}/prices`, {
      text: `id,regular price,sale price\n${MANGO},5000,\n`,
    });
    expect([stale.status, prices.status, shown.status]).toEqual([409, 422, 200]);
    return [stale.text, prices.text, shown.text, (await editor.get('/office/log')).text];
  }

  // A first change lets the page that is open be old, so that the pages of good products include both values.
  await editor.submit(pageOf(MANGO), pageOf(MANGO), {
    do: 'save',
    description: 'Another',
    sizes: 'S',
    colours: 'red',
    parentCategory: 'Other',
    title: 'Another',
  });
  const harmless = [...(await pages(MANGO)), ...(await lists()), ...(await others(oldPage))];
  const made = new Set(harmless.flatMap((html) => [...read(html).made]));

  const strings = fc.sample(hostile, { seed: 7, numRuns: PRODUCTS * (4 + 2 * SIZES + 3 * ROWS) });
  expect(strings.length).toBeGreaterThan(10_000);
  const perProduct = strings.length / PRODUCTS;
  for (let number = 0; number < PRODUCTS; number += 1) {
    const like = good[number % good.length] ?? expect.fail('no product');
    const product = hostileProduct(strings.slice(number * perProduct, (number + 1) * perProduct), like);
    await db.write(async (transaction) => {
      await replaceProduct(transaction, product);
      await setMeta(transaction, 'catalogue_version', String(number));
    });
    const [edit = '', ...more] = await pages(product.id);
    const shown = read(edit);
    const values = [
      product.title,
      product.category,
      product.parentCategory,
      ...product.attributes.flatMap(({ key, values: list }) =>
        /^(?:size|colour)$/.test(key) ? list : [key, ...list],
      ),
    ];
    const isShown = (value: string): boolean =>
      shown.texts.has(value) ||
      folded(value)
        .split('\n')
        .every((line) => shown.texts.has(line.trim()));
    const missing = values.filter((value) => !isShown(value));
    expect(missing).toEqual([]);
    for (const html of [edit, ...more, ...(number % 8 === 0 ? await lists() : [])]) {
      expect([...read(html).made].filter((part) => !made.has(part))).toEqual([]);
    }
    if (product.id === MANGO) {
      for (const html of await others(oldPage)) {
        expect([...read(html).made].filter((part) => !made.has(part))).toEqual([]);
      }
    }
  }

  const { text: csv } = await editor.get(`${CATALOGUE}/prices.csv`);
  const raw = [...csv.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell);
  expect(raw.length).toBeGreaterThan(4 * good.length);
  expect(raw.filter((cell) => /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell))).toEqual([]);
  const titles = new Map((await storedProducts(db)).map(({ product }) => [product.id, product.title]));
  for (const { cells } of (await readCsv(csv, 99)).slice(1))
    expect(cells[1]).toBe(titles.get(cells[0] ?? ''));
});
