import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { fingerprint } from '#domain/product.ts';
import { isGtin, tidyGtin } from '#domain/product-identifiers.ts';
import { tidyText } from '#domain/text.ts';
import { CsvError, readTable } from '#server/admin/csv.ts';
import {
  isSaleBelowRegular,
  OptionalMomentTextSchema,
  OptionalRupeesTextSchema,
  type TypedPrices,
} from '#server/admin/forms/prices.ts';
import { MAX_PICTURES } from '#server/catalogue/products/product-form.ts';
import { type CatalogueProduct, ProductIdSchema } from '#server/catalogue/schema.ts';
import { slugOf } from '#server/catalogue/stored-products.ts';
import { isReserved } from '#server/http/names.ts';
import type { Pieces } from '#server/stock/stock-facts.ts';

/* Reads the product exports of Shopify and WooCommerce. */

/** A product of another shop. */
export interface ExportedProduct {
  readonly id: string;
  readonly title: string;
  /** Other fields that the file has. */
  readonly fields: Partial<CatalogueProduct>;
  /** Addresses at the other shop, the main one first. */
  readonly pictures: readonly string[];
  readonly isDraft: boolean;
  /** By size, '' without sizes. Empty if the pieces are not counted. */
  readonly stock: Pieces;
}

/** What an owner must know about a product. Products with equal remarks are named together. */
export interface Remark {
  readonly title: string;
  readonly remark: string;
}

/** @param cause why the product cannot be taken */
export const leftOut = (title: string, cause: string): Remark => ({ title, remark: `Left out: ${cause}` });

export const lookAt = (title: string, what: string): Remark => ({ title, remark: `Look at this: ${what}` });

const MAX_ROWS = 100_000;

/** In characters: descriptions may contain pictures. */
const MAX_ROW_LENGTH = 5_000_000;

const BLOCK =
  /^(?:address|article|blockquote|dd|div|dl|dt|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|tr|ul)$/;

const SILENT = /^(?:iframe|noscript|object|script|style|template)$/;

const BEFORE: Readonly<Record<string, string>> = { br: '\n', tr: '\n', td: ' ', th: ' ', li: '\n\n- ' };

/** Returns the text of HTML, with an empty line between paragraphs. Without blocks its line breaks stay. */
function textOf(markup: string): string {
  const keepsBreaks = !/<(?:br|div|h[1-6]|li|p|td)\b/i.test(markup);
  let text = '';
  let silent = 0;
  const parser = new Parser({
    onopentag(name) {
      if (SILENT.test(name)) silent += 1;
      text += BEFORE[name] ?? (BLOCK.test(name) ? '\n\n' : '');
    },
    ontext(part) {
      if (silent === 0) text += keepsBreaks ? part : part.replaceAll(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (SILENT.test(name)) silent -= 1;
      if (BLOCK.test(name)) text += '\n\n';
    },
  });
  parser.end(markup);
  const lines = tidyText(text)
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/[^\P{Cc}\n]/gu, '')
    .split('\n')
    .map((line) => line.trim());
  // A bullet stands beside its text, with no empty line before it.
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^-\n+(?=[^\n-])/gm, '- ')
    .replaceAll(/\n\n(?=-)/g, '\n')
    .trim();
}

const lineOf = (markup: string): string => textOf(markup).replaceAll(/\s+/g, ' ');

/** Returns rupees, null for an empty cell. Reads decimal commas, too: `12,50` and `1.299,00`. */
function priceOf(text: string): number | null | undefined {
  const usual = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replace(/(\.\d\d)0+$/, '$1');
  const parsed = v.safeParse(OptionalRupeesTextSchema, usual);
  return parsed.success ? parsed.output : undefined;
}

/** Returns why a product with these prices cannot be taken. */
function pricesOf(regular: string, sale: string): TypedPrices | string {
  const [price, salePrice] = [priceOf(regular), priceOf(sale)];
  if (price === undefined || salePrice === undefined) return 'has a price that cannot be read';
  const regularPrice = price ?? salePrice;
  if (regularPrice === null) return 'has no price';
  return {
    regularPrice,
    discountedPrice: isSaleBelowRegular({ regularPrice, discountedPrice: salePrice }) ? salePrice : null,
  };
}

/** Reads a day, or a day and a time. @param clock the time of a day alone */
function momentOf(cell: string, clock: string): string | undefined {
  const [, day, time = clock] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?/.exec(cell) ?? [];
  const parsed = v.safeParse(OptionalMomentTextSchema, day === undefined ? '' : `${day}T${time}`);
  return parsed.success ? parsed.output : undefined;
}

/** A size, colour or other kind of a product. */
interface Variant {
  /** The values of each option. Several where a variant stands for all of them. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly prices: TypedPrices | string;
  readonly saleFrom?: string | undefined;
  readonly saleUntil?: string | undefined;
  readonly picture: string;
  /** Undefined if they are not counted, or sold beyond. */
  readonly pieces: number | undefined;
  /** Any text, '' for none. */
  readonly gtin: string;
}

/** A product as both shops describe it. */
interface Source {
  readonly handle: string;
  readonly title: string;
  /** HTML, '' for none. */
  readonly description: string;
  /** From the widest category to the narrowest. */
  readonly categories: readonly string[];
  readonly attributes: readonly (readonly [name: string, values: readonly string[]])[];
  readonly pictures: readonly string[];
  readonly isDraft: boolean;
  readonly variants: readonly Variant[];
  /** What its variants have together, if they are not counted one by one. */
  readonly sharedPieces?: number | undefined;
}

const valuesOf = (variants: readonly Variant[], name: string): string[] => [
  ...new Set(variants.flatMap(({ options }) => options[name] ?? [])),
];

/** How the variants of a product differ from the first ones, such as 'Large'. */
function labelOf(names: readonly string[], variants: readonly Variant[], first: readonly Variant[]): string {
  const textOfOption = (kind: readonly Variant[], name: string) => valuesOf(kind, name).join('/');
  const differing = names.filter((name) => textOfOption(variants, name) !== textOfOption(first, name));
  return (differing.length > 0 ? differing : names).map((name) => textOfOption(variants, name)).join(', ');
}

/** The fields that all variants share. */
function fieldsOf({ description, categories, attributes }: Source) {
  const names = categories.map(lineOf).filter(Boolean);
  const category = names.at(-1);
  return {
    ...(description !== '' && { description: textOf(description) }),
    ...(category !== undefined && { category, parentCategory: names.at(-2) ?? category }),
    attributes: attributes
      .map(([key, values]) => ({ key: lineOf(key), values: values.map(lineOf).filter(Boolean) }))
      .filter(({ key, values }) => key !== '' && values.length > 0),
  };
}

const COLOUR = /colou?r|цвет/i;
const SIZE = /size|размер/i;

/**
 * Yields the products of a source. A product of this shop has one price, sizes and colours: variants with another price, or
 * another value of a third option, become a product of their own.
 */
function* productsOf(source: Source): Generator<ExportedProduct | Remark> {
  const { title, handle, variants, isDraft } = source;
  const names = Object.keys(variants[0]?.options ?? {});
  const colour = names.find((name) => COLOUR.test(name));
  const size = names.find((name) => SIZE.test(name)) ?? names.find((name) => name !== colour);
  const others = names.filter((name) => name !== size && name !== colour);
  const kinds = [
    ...Map.groupBy(variants, ({ options, prices, saleFrom, saleUntil }) =>
      JSON.stringify([prices, saleFrom, saleUntil, ...others.map((name) => options[name])]),
    ).values(),
  ];
  const [first = []] = kinds;
  if (kinds.length === 0) yield leftOut(title, 'has no price');
  if (kinds.length > 1)
    yield lookAt(title, 'became several, because its variants differ in price or a third option');
  const shared = fieldsOf(source);
  for (const [index, kind] of kinds.entries()) {
    const [{ prices, saleFrom, saleUntil, picture } = { prices: '', picture: '' }] = kind;
    const label = index === 0 ? '' : labelOf(names, kind, first);
    const name = label === '' ? title : `${title}, ${label}`;
    if (typeof prices === 'string') {
      yield leftOut(name, prices);
      continue;
    }
    const choices = Object.entries({ size, colour })
      .map(([key, option]) => ({ key, values: option === undefined ? [] : valuesOf(kind, option) }))
      .filter(({ values }) => values.length > 0);
    const pairs = choices.reduce((product, { values }) => product * values.length, 1);
    const isEachSingle = kind.every(({ options }) =>
      Object.values(options).every(({ length }) => length === 1),
    );
    if (kind.length < pairs && isEachSingle)
      yield lookAt(name, 'lacks some pairs of size and colour, which can be chosen here');
    const gtins = [...new Set(kind.map(({ gtin }) => tidyGtin(gtin)))].filter(isGtin);
    const own = kinds.length > 1 ? [picture] : [];
    const pictures = [...new Set([...own, ...source.pictures])].filter(Boolean);
    if (pictures.length > MAX_PICTURES)
      yield lookAt(name, `has more than ${MAX_PICTURES} pictures: the others were left`);
    const stock = stockOf(source, kind, size);
    if (!stock) yield lookAt(name, 'its stock cannot be taken, because not every variant is counted there');
    yield {
      id: index === 0 ? handle : `${handle}-${slugOf(label) || index + 1}`,
      title: name,
      fields: {
        ...shared,
        ...prices,
        ...(prices.discountedPrice === null ? {} : { saleFrom, saleUntil }),
        // If each size has a GTIN of its own, the product as a whole has none.
        attributes: [
          ...shared.attributes,
          ...(gtins.length === 1 ? [{ key: 'GTIN', values: gtins }] : []),
          ...choices,
        ],
      },
      pictures: pictures.slice(0, MAX_PICTURES),
      isDraft,
      stock: stock ?? new Map(),
    };
  }
}

/** Adds up the variants of each size. Returns undefined if they cannot be counted here as they are there. */
function stockOf(
  { variants: all, sharedPieces }: Source,
  variants: readonly Variant[],
  size: string | undefined,
): Pieces | undefined {
  const stock = new Map<string, number>();
  if (sharedPieces !== undefined && all.every(({ pieces }) => pieces === undefined))
    return all.length === variants.length ? new Map([['', sharedPieces]]) : undefined;
  for (const { pieces, options } of variants) {
    if (pieces === undefined) return variants.some((each) => each.pieces === 0) ? undefined : new Map();
    const values = size === undefined ? [] : (options[size] ?? []);
    const name = values.length === 1 ? (values[0] ?? '') : '';
    stock.set(name, (stock.get(name) ?? 0) + pieces);
  }
  const total = [...stock.values()].reduce((sum, pieces) => sum + pieces, 0);
  return stock.has('') ? new Map([['', total]]) : stock;
}

/** Returns the cell of a column, '' without the column. */
type Row = (column: string) => string;

const isNo = (text: string): boolean => /^(?:false|no|0|-1)$/i.test(text);

const isYes = (text: string): boolean => /^(?:true|yes|1)$/i.test(text);

/** Adds the scheme that addresses of Shopify may lack. */
const addressesIn = (texts: readonly string[]): string[] =>
  texts.map((text) => text.trim().replace(/^\/\//, 'https://')).filter(Boolean);

/** Returns an id for a text with Latin letters, else ''. */
const idOf = (text: string): string => {
  const id = slugOf(text);
  return /[a-z]{2}/.test(id) && !isReserved(id) ? id : '';
};

/** Returns the pieces of a cell. Other shops have negative numbers, which are none. */
const wholePieces = (cell: string): number | undefined => {
  const pieces = Math.floor(Number(cell));
  return cell === '' || Number.isNaN(pieces) ? undefined : Math.max(0, pieces);
};

function* shopifyProduct(handle: string, rows: readonly Row[]): Generator<Source | Remark> {
  const titles = rows.map((row) => lineOf(row('title')));
  const title = titles.find(Boolean) ?? '';
  const others = titles.filter((other) => other !== '' && other !== title);
  for (const other of others) yield leftOut(other, `has the handle of “${title}”, ${handle}`);
  const own = rows.filter((_, index) => !others.includes(titles[index] ?? ''));
  const [main] = own;
  if (!main || title === '') return yield leftOut(handle, 'has no title');
  if (isYes(main('gift card'))) return yield leftOut(title, 'is a gift card');
  const options = ['option1', 'option2', 'option3']
    .map((column) => ({ column: `${column} value`, name: lineOf(main(`${column} name`)) }))
    .filter(({ column, name }) => name !== '' && main(column) !== 'Default Title')
    .map(({ column, name }) => ({
      column,
      name,
      all: own.map((row) => lineOf(row(column))).filter(Boolean),
    }));
  const variants = own
    .filter((row) => row('price') !== '' || options.some(({ column }) => row(column) !== ''))
    .map((row): Variant => {
      const [price, compared, quantity] = [row('price'), row('compare at price'), row('inventory quantity')];
      const isReduced = (priceOf(compared) ?? 0) > (priceOf(price) ?? 0);
      const isCounted = row('inventory tracker') !== '' && quantity !== '';
      const isOrderable = !/^(?:deny|false)$/i.test(row('continue selling when out of stock'));
      return {
        options: Object.fromEntries(
          options.map(({ column, name, all }) => [name, row(column) === '' ? all : [lineOf(row(column))]]),
        ),
        prices: isReduced ? pricesOf(compared, price) : pricesOf(price, ''),
        picture: addressesIn([row('variant image')])[0] ?? '',
        pieces: isCounted && !isOrderable ? wholePieces(quantity) : undefined,
        gtin: row('barcode'),
      };
    });
  const place = (row: Row): number => Number(row('image position')) || 1e9;
  const [type, taxonomy] = [main('type'), main('product category')];
  const widest = taxonomy === '' ? main('tags').split(',').slice(0, 1) : taxonomy.split('>');
  yield {
    // The handle itself is the product's address, if it can be one here.
    handle: v.is(ProductIdSchema, handle) ? handle : idOf(handle) || `product-${fingerprint(handle)}`,
    title,
    description: main('description'),
    categories: type === '' ? widest : [taxonomy.split('>')[0] ?? '', type],
    attributes: [
      ['Brand', [main('vendor')]],
      ['MPN', [main('google shopping / mpn')]],
    ],
    pictures: addressesIn(
      own.toSorted((one, other) => place(one) - place(other)).map((row) => row('image src')),
    ),
    isDraft: isNo(main('published')) || !['', 'active'].includes(main('status').toLowerCase()),
    variants,
  };
}

/** Rows without a handle belong to the product above them. */
function* readShopify(rows: readonly Row[]): Generator<Source | Remark> {
  let last = '';
  const products = Map.groupBy(rows, (row) => {
    last = row('handle') || slugOf(lineOf(row('title'))) || last;
    return last.toLowerCase();
  });
  for (const [handle, all] of products) yield* shopifyProduct(handle, all);
}

/** WooCommerce writes a line break as a backslash and an n, and a comma inside a value after a backslash. */
const wooList = (text: string): string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','));

/** A row has at most so many. */
const MAX_WOO_ATTRIBUTES = 100;

/** Reads `Attribute 1 name`, `Attribute 1 value(s)`, and so on. */
function wooAttributes(row: Row): (readonly [name: string, values: string[]])[] {
  const numbers = Array.from({ length: MAX_WOO_ATTRIBUTES }, (_, index) => `attribute ${index + 1}`);
  return numbers
    .filter((column) => row(`${column} name`) !== '')
    .map((column) => [
      lineOf(row(`${column} name`)),
      wooList(row(`${column} value(s)`))
        .map(lineOf)
        .filter(Boolean),
    ]);
}

const UNSOLD: readonly (readonly [kind: RegExp, cause: string])[] = [
  [/\bgrouped\b/, 'is a group of other products'],
  [/\bexternal\b/, 'is sold at another shop'],
  [/\b(?:virtual|downloadable)\b/, 'is a download or a service'],
];

/** With backorders it is sold beyond its stock. A row without a number is in stock or not. */
function wooPieces(row: Row): number | undefined {
  if (isNo(row('in stock?'))) return 0;
  return /^(?:1|yes|notify)$/i.test(row('backorders allowed?')) ? undefined : wholePieces(row('stock'));
}

function wooVariant(row: Row, options: ReadonlyMap<string, readonly string[]>): Variant {
  const own = new Map(wooAttributes(row));
  return {
    options: Object.fromEntries([...options].map(([name, all]) => [name, own.get(name)?.slice(0, 1) ?? all])),
    prices: pricesOf(row('regular price'), row('sale price')),
    saleFrom: momentOf(row('date sale price starts'), '00:00'),
    saleUntil: momentOf(row('date sale price ends'), '23:59'),
    picture: addressesIn([row('images').split(/,\s*/)[0] ?? ''])[0] ?? '',
    pieces: wooPieces(row),
    gtin: row('gtin, upc, ean, or isbn'),
  };
}

function* readWooCommerce(rows: readonly Row[]): Generator<Source | Remark> {
  const isVariation = (row: Row): boolean => /\bvariation\b/.test(row('type'));
  const byParent = Map.groupBy(rows.filter(isVariation), (row) => row('parent'));
  const handles = new Set<string>();
  for (const row of rows.filter((each) => !isVariation(each))) {
    const [id, sku, title] = [row('id'), row('sku'), lineOf(row('name'))];
    const keys = [sku, id && `id:${id}`].filter(Boolean);
    const children = keys.flatMap((key) => byParent.get(key) ?? []);
    for (const key of keys) byParent.delete(key);
    const [, unsold] = UNSOLD.find(([kind]) => kind.test(row('type'))) ?? [];
    const slug = idOf(sku) || idOf(title) || `product-${id || fingerprint(sku + title)}`;
    const handle = handles.has(slug) && id !== '' ? `${slug}-${id}` : slug;
    if (title === '' || unsold !== undefined || handles.has(handle)) {
      const cause = title === '' ? 'has no title' : (unsold ?? 'is in the file twice');
      yield leftOut(title || sku || id, cause);
      continue;
    }
    handles.add(handle);
    const all = wooAttributes(row);
    const chosen = new Set(children.flatMap((child) => wooAttributes(child).map(([name]) => name)));
    const options = new Map(all.filter(([name]) => chosen.has(name)));
    const featured = isYes(row('is featured?')) ? [['featured', ['true']] as const] : [];
    yield {
      handle,
      title,
      description: (row('description') || row('short description')).replaceAll('\\n', '\n'),
      categories: wooList(row('categories'))[0]?.split('>') ?? [],
      attributes: [
        ...(all.some(([name]) => /^brand$/i.test(name)) ? [] : [['Brand', wooList(row('brands'))] as const]),
        ...all.filter(([name]) => !chosen.has(name)),
        ...featured,
      ],
      pictures: addressesIn(row('images').split(/,\s*(?=(?:https?:)?\/\/|$)/)),
      isDraft: isNo(row('published')) || row('visibility in catalog') === 'hidden',
      variants: (children.length === 0 ? [row] : children).map((each) => wooVariant(each, options)),
      sharedPieces: children.length === 0 ? undefined : wooPieces(row),
    };
  }
  for (const variation of [...byParent.values()].flat())
    yield leftOut(lineOf(variation('name')), 'is a variation whose product is not in the file');
}

/** Other names of columns: in older exports of Shopify, and in WooCommerce for a user who reads Russian. */
const SAME_COLUMNS: Readonly<Record<string, string>> = {
  'url handle': 'handle',
  'body (html)': 'description',
  'published on online store': 'published',
  'variant price': 'price',
  'variant compare at price': 'compare at price',
  'compare-at price': 'compare at price',
  'variant inventory qty': 'inventory quantity',
  'variant inventory tracker': 'inventory tracker',
  'variant inventory policy': 'continue selling when out of stock',
  'variant image url': 'variant image',
  'variant barcode': 'barcode',
  'product image url': 'image src',
  тип: 'type',
  артикул: 'sku',
  имя: 'name',
  опубликован: 'published',
  'рекомендуемый?': 'is featured?',
  'видимость в каталоге': 'visibility in catalog',
  'короткое описание': 'short description',
  'краткое описание': 'short description',
  описание: 'description',
  'в наличии?': 'in stock?',
  наличие: 'in stock?',
  запасы: 'stock',
  'разрешить предзаказы?': 'backorders allowed?',
  'базовая цена': 'regular price',
  'акционная цена': 'sale price',
  'дата начала действия продажной цены': 'date sale price starts',
  'дата окончания действия продажной цены': 'date sale price ends',
  категории: 'categories',
  изображения: 'images',
  родительский: 'parent',
  бренды: 'brands',
  'gtin, upc, ean или isbn': 'gtin, upc, ean, or isbn',
};

const NO_EXPORT =
  'This is not a CSV file of a product export of Shopify (Handle, Title, …) or WooCommerce (ID, Type, SKU, Name, …). WooCommerce in another language: set the language of your profile in WordPress to English, and export again.';

/** @throws CsvError */
export async function readProductExport(text: string) {
  const table = await readTable(text, MAX_ROWS, MAX_ROW_LENGTH);
  const columns = new Map(table.heads.map((head) => [SAME_COLUMNS[head] ?? head, head]));
  const rows = table.rows.map(
    ({ cells }): Row =>
      (column) =>
        cells[columns.get(column) ?? ''] ?? '',
  );
  const shop = columns.has('handle') && columns.has('title') ? 'Shopify' : 'WooCommerce';
  if (shop === 'WooCommerce' && !(columns.has('name') && columns.has('regular price')))
    throw new CsvError(1, NO_EXPORT);
  const products: ExportedProduct[] = [];
  const remarks: Remark[] = [];
  for (const source of shop === 'Shopify' ? readShopify(rows) : readWooCommerce(rows))
    for (const found of 'remark' in source ? [source] : productsOf(source))
      if ('remark' in found) remarks.push(found);
      else products.push(found);
  return { shop, products, remarks };
}
