import { isDeepStrictEqual } from 'node:util';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { fingerprint } from '#domain/product.ts';
import { tidyText } from '#domain/text.ts';
import { type CsvRow, readCsv } from '#server/admin/csv.ts';
import {
  isSaleBelowRegular,
  OptionalMomentTextSchema,
  OptionalRupeesTextSchema,
} from '#server/admin/forms/prices.ts';
import { type CatalogueProduct, ProductIdSchema } from '#server/catalogue/schema.ts';
import { slugOf } from '#server/catalogue/stored-products.ts';
import { isReserved } from '#server/http/names.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/* Reads the product exports of Shopify and WooCommerce. */

/** A product of another shop. Fields whose column the file lacks are undefined. */
export interface ExportedProduct {
  readonly id: string;
  readonly title: string;
  readonly fields: Partial<CatalogueProduct>;
  /** Addresses at the other shop, the main one first. */
  readonly pictures: readonly string[];
  readonly isDraft: boolean;
  readonly isSoldOut: boolean;
}

/** What an owner must know about a product, grouped by its cause. */
export interface Remark {
  readonly title: string;
  readonly cause: string;
}

export interface ProductExport {
  readonly shop: 'Shopify' | 'WooCommerce';
  readonly products: readonly ExportedProduct[];
  /** Products that cannot be taken. */
  readonly left: readonly Remark[];
  readonly remarks: readonly Remark[];
}

const MOST_ROWS = 100_000;

/** In characters: descriptions may contain pictures. */
const LONGEST_ROW = 5_000_000;

const MOST_PICTURES = 20;

const BLOCK =
  /^(?:address|article|blockquote|dd|div|dl|dt|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|tr|ul)$/;

const SILENT = /^(?:iframe|noscript|object|script|style|template)$/;

/** Returns the text of HTML, with an empty line between paragraphs. Without blocks its line breaks stay. */
function textOf(markup: string): string {
  const keepsBreaks = !/<(?:br|div|h[1-6]|li|p|td)\b/i.test(markup);
  let text = '';
  let silent = 0;
  const parser = new Parser({
    onopentag(name) {
      if (SILENT.test(name)) silent += 1;
      if (name === 'br' || BLOCK.test(name)) text += name === 'br' || name === 'tr' ? '\n' : '\n\n';
      if (name === 'li') text += '- ';
      if (name === 'td' || name === 'th') text += ' ';
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
    .split('\n');
  return joinLines(lines.map((line) => line.trim()));
}

/** Keeps one empty line between paragraphs, none before a bullet, and a bullet beside its text. */
function joinLines(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of lines) {
    if (kept.at(-1) === '' && (line === '' || line.startsWith('-'))) kept.pop();
    if (kept.at(-1) === '-') kept[kept.length - 1] = `- ${line}`.trim();
    else kept.push(line);
  }
  return kept.join('\n').trim();
}

const lineOf = (markup: string): string => textOf(markup).replaceAll(/\s+/g, ' ');

/** Returns rupees, null for an empty cell. Reads decimal commas, too: `12,50` and `1.299,00`. */
function priceOf(cell: string): number | null | undefined {
  const text = cell.trim();
  const usual = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replace(/(\.\d\d)0+$/, '$1');
  const parsed = v.safeParse(OptionalRupeesTextSchema, usual);
  return parsed.success ? parsed.output : undefined;
}

/** Reads a day, or a day and a time. @param clock the time of a day alone */
function momentOf(cell: string, clock: string): string | undefined {
  const [, day, time = clock] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?/.exec(cell.trim()) ?? [];
  const parsed = v.safeParse(OptionalMomentTextSchema, day === undefined ? '' : `${day}T${time}`);
  return parsed.success ? parsed.output : undefined;
}

type Options = Readonly<Record<string, string>>;

/** A size, colour or other kind of a product. An option with '' stands for all its values. */
interface Variant {
  readonly options: Options;
  readonly regular: string;
  readonly sale: string;
  readonly saleFrom?: string | undefined;
  readonly saleUntil?: string | undefined;
  readonly picture: string;
  readonly isSoldOut: boolean;
}

/** A product as both shops describe it, still in their texts. */
interface Source {
  readonly handle: string;
  readonly title: string;
  readonly fields: Partial<CatalogueProduct>;
  readonly pictures: readonly string[];
  readonly isDraft: boolean;
  /** The values of each option, in their order. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly variants: readonly Variant[];
}

interface Reading {
  readonly products: ExportedProduct[];
  readonly left: Remark[];
  readonly remarks: Remark[];
}

const valuesOf = ({ options }: Source, variants: readonly Variant[], name: string): string[] => {
  const values = variants.flatMap((each) => each.options[name] || (options.get(name) ?? []));
  return [...new Set(values)];
};

/** How the variants of a product differ from the first ones, such as 'Large'. */
function labelOf(source: Source, variants: readonly Variant[], first: readonly Variant[]): string {
  const values = [...source.options.keys()].map((name) => valuesOf(source, variants, name));
  const differing = values.filter(
    (list, index) =>
      !isDeepStrictEqual(list, valuesOf(source, first, [...source.options.keys()][index] ?? '')),
  );
  return (differing.length > 0 ? differing : values).map((list) => list.join('/')).join(', ');
}

const COLOUR = /colou?r|цвет/i;
const SIZE = /size|размер/i;

/**
 * Adds the products of a source. A product of this shop has one price, sizes and colours: variants with another price, or
 * another value of a third option, become a product of their own.
 */
function addProducts(reading: Reading, source: Source): void {
  const { title, handle, variants } = source;
  const names = [...source.options.keys()];
  const colour = names.find((name) => COLOUR.test(name));
  const size = names.find((name) => SIZE.test(name)) ?? names.find((name) => name !== colour);
  const others = names.filter((name) => name !== size && name !== colour);
  const kinds = [
    ...Map.groupBy(variants, ({ options, regular, sale, saleFrom, saleUntil }) =>
      JSON.stringify([regular, sale, saleFrom, saleUntil, ...others.map((name) => options[name])]),
    ).values(),
  ];
  const [first = []] = kinds;
  if (kinds.length === 0) reading.left.push({ title, cause: 'has no price' });
  if (kinds.length > 1)
    reading.remarks.push({
      title,
      cause: 'became several products, because its variants differ in price or in a third option',
    });
  for (const [index, kind] of kinds.entries()) {
    const [variant] = kind;
    const label = index === 0 ? '' : labelOf(source, kind, first);
    const name = label === '' ? title : `${title}, ${label}`;
    const [price, salePrice] = [priceOf(variant?.regular ?? ''), priceOf(variant?.sale ?? '')];
    const regularPrice = price ?? salePrice;
    if (!variant || typeof regularPrice !== 'number' || price === undefined || salePrice === undefined) {
      const isEmpty = price === null && salePrice === null;
      reading.left.push({ title: name, cause: isEmpty ? 'has no price' : 'has a price that cannot be read' });
      continue;
    }
    const isReduced = salePrice !== null && isSaleBelowRegular({ regularPrice, discountedPrice: salePrice });
    const choices = (
      [
        ['size', size],
        ['colour', colour],
      ] as const
    ).flatMap(([key, option]) => {
      const values = option === undefined ? [] : valuesOf(source, kind, option);
      return values.length === 0 ? [] : [{ key, values }];
    });
    const combinations = choices.reduce((product, { values }) => product * values.length, 1);
    if (kind.length < combinations && kind.every(({ options }) => Object.values(options).every(Boolean)))
      reading.remarks.push({
        title: name,
        cause: 'lacks some pairs of size and colour, which can be chosen here',
      });
    const pictures = [...(kinds.length > 1 ? [variant.picture] : []), ...source.pictures].filter(Boolean);
    if (new Set(pictures).size > MOST_PICTURES)
      reading.remarks.push({
        title: name,
        cause: `has more than ${MOST_PICTURES} pictures: the others were left`,
      });
    reading.products.push({
      id: index === 0 ? handle : `${handle}-${slugOf(label) || index + 1}`,
      title: name,
      fields: {
        ...source.fields,
        title: name,
        regularPrice,
        discountedPrice: isReduced ? salePrice : null,
        ...(isReduced && variant.saleFrom ? { saleFrom: variant.saleFrom } : {}),
        ...(isReduced && variant.saleUntil ? { saleUntil: variant.saleUntil } : {}),
        attributes: [...(source.fields.attributes ?? []), ...choices],
      },
      pictures: [...new Set(pictures)].slice(0, MOST_PICTURES),
      isDraft: source.isDraft,
      isSoldOut: kind.every(({ isSoldOut }) => isSoldOut),
    });
  }
}

/** A row by the names of its columns. '' for an empty cell, undefined without the column. */
type Row = Readonly<Record<string, string | undefined>>;

/** Returns the first of these columns that the file has. */
type Cell = (row: Row | undefined, ...names: string[]) => string | undefined;

const cell: Cell = (row, ...names) => names.map((name) => row?.[name]).find((text) => text !== undefined);

const isNo = (text: string | undefined): boolean => /^(?:false|no|0|-1)$/i.test(text?.trim() ?? '');

const isYes = (text: string | undefined): boolean => /^(?:true|yes|1)$/i.test(text?.trim() ?? '');

/** Adds the scheme that addresses of Shopify may lack. */
const addressesIn = (texts: readonly (string | undefined)[]): string[] =>
  texts.map((text) => text?.trim().replace(/^\/\//, 'https://') ?? '').filter((text) => text !== '');

const attribute = (key: string, values: readonly string[]) => {
  const texts = values.map(lineOf).filter((text) => text !== '');
  return lineOf(key) === '' || texts.length === 0 ? [] : [{ key: lineOf(key), values: texts }];
};

/** @param path from the widest category to the narrowest */
function categoryFields(path: readonly string[]): Partial<CatalogueProduct> {
  const names = path.map(lineOf).filter((name) => name !== '');
  const category = names.at(-1);
  return category === undefined ? {} : { category, parentCategory: names.at(-2) ?? category };
}

/** Returns an id for a text with Latin letters, else ''. */
const idOf = (text: string): string => {
  const id = slugOf(text);
  return /[a-z]{2}/.test(id) && !isReserved(id) ? id : '';
};

/** The handle itself is the product's address, if it can be one here. */
const idOfHandle = (handle: string): string =>
  v.is(ProductIdSchema, handle) ? handle : idOf(handle) || `product-${fingerprint(handle)}`;

const firstTitle = (rows: readonly Row[]): string =>
  rows.map((row) => lineOf(cell(row, 'title') ?? '')).find((title) => title !== '') ?? '';

function addShopifyProduct(reading: Reading, handle: string, all: readonly Row[]): void {
  const title = firstTitle(all);
  const isOther = (row: Row): boolean => !['', title].includes(lineOf(row.title ?? ''));
  const cause = `has the handle of “${title}”, ${handle}`;
  reading.left.push(...all.filter(isOther).map((row) => ({ title: lineOf(row.title ?? ''), cause })));
  const rows = all.filter((row) => !isOther(row));
  const [main] = rows;
  if (title === '') return void reading.left.push({ title: handle, cause: 'has no title' });
  if (isYes(cell(main, 'gift card'))) return void reading.left.push({ title, cause: 'is a gift card' });
  const names = ['option1', 'option2', 'option3']
    .map((column) => ({ column, name: lineOf(cell(main, `${column} name`) ?? '') }))
    .filter(({ column, name }) => name !== '' && cell(main, `${column} value`) !== 'Default Title');
  const price = (row: Row): string => cell(row, 'variant price', 'price') ?? '';
  const variants = rows
    .filter((row) => price(row) !== '' || names.some(({ column }) => row[`${column} value`]))
    .map((row): Variant => {
      const compared = cell(row, 'variant compare at price', 'compare-at price', 'compare at price') ?? '';
      const isReduced = (priceOf(compared) ?? 0) > (priceOf(price(row)) ?? 0);
      const quantity = cell(row, 'variant inventory qty', 'inventory quantity') ?? '';
      return {
        options: Object.fromEntries(
          names.map(({ column, name }) => [name, lineOf(row[`${column} value`] ?? '')]),
        ),
        regular: isReduced ? compared : price(row),
        sale: isReduced ? price(row) : '',
        picture: addressesIn([cell(row, 'variant image', 'variant image url')])[0] ?? '',
        isSoldOut:
          Boolean(cell(row, 'variant inventory tracker', 'inventory tracker')) &&
          quantity !== '' &&
          Number(quantity) <= 0 &&
          /^(?:deny|false)$/i.test(
            cell(row, 'variant inventory policy', 'continue selling when out of stock') ?? '',
          ),
      };
    });
  const images = rows
    .map((row) => ({ row, position: Number(row['image position']) || Number.POSITIVE_INFINITY }))
    .toSorted((one, other) => one.position - other.position || 0)
    .map(({ row }) => cell(row, 'image src', 'product image url'));
  const description = cell(main, 'body (html)', 'description');
  const taxonomy = cell(main, 'product category')?.match(/[^>]+/g);
  const [tag = ''] = (cell(main, 'tags') ?? '').split(',');
  const type = cell(main, 'type') ?? '';
  addProducts(reading, {
    handle: idOfHandle(handle),
    title,
    fields: {
      ...(description === undefined ? {} : { description: textOf(description) }),
      ...categoryFields(type.trim() === '' ? (taxonomy ?? [tag]) : [taxonomy?.[0] ?? '', type]),
      attributes: attribute('Brand', [cell(main, 'vendor') ?? '']),
    },
    pictures: addressesIn(images),
    isDraft:
      isNo(cell(main, 'published', 'published on online store')) ||
      !['', 'active'].includes(cell(main, 'status')?.trim().toLowerCase() ?? ''),
    options: new Map(
      names.map(({ name }) => [name, [...new Set(variants.map((variant) => variant.options[name] ?? ''))]]),
    ),
    variants,
  });
}

/** Rows without a handle belong to the product above them. */
function readShopify(reading: Reading, rows: readonly Row[]): void {
  let last = '';
  const products = Map.groupBy(rows, (row) => {
    const handle = (cell(row, 'handle', 'url handle') ?? '').trim();
    last = handle || slugOf(lineOf(row.title ?? '')) || last;
    return last.toLowerCase();
  });
  for (const [handle, all] of products) addShopifyProduct(reading, handle, all);
}

/** The columns of WooCommerce. Its exports have them in the language of the user who exports. */
const WOOCOMMERCE = {
  id: ['id'],
  type: ['type', 'тип'],
  sku: ['sku', 'артикул'],
  title: ['name', 'имя'],
  published: ['published', 'опубликован'],
  featured: ['is featured?', 'рекомендуемый?'],
  visibility: ['visibility in catalog', 'видимость в каталоге'],
  short: ['short description', 'короткое описание', 'краткое описание'],
  description: ['description', 'описание'],
  inStock: ['in stock?', 'в наличии?', 'наличие'],
  regular: ['regular price', 'базовая цена'],
  sale: ['sale price', 'акционная цена'],
  saleFrom: ['date sale price starts', 'дата начала действия продажной цены'],
  saleUntil: ['date sale price ends', 'дата окончания действия продажной цены'],
  categories: ['categories', 'категории'],
  images: ['images', 'изображения'],
  parent: ['parent', 'родительский'],
} as const;

/** WooCommerce writes a line break as a backslash and an n, and a comma inside a value after a backslash. */
const wooText = (text: string): string => text.replaceAll('\\n', '\n');

const wooList = (text: string): string[] =>
  text.split(/(?<!\\),/).map((value) => lineOf(value.replaceAll('\\,', ',')));

const wooAttributes = (row: Row): [name: string, values: string[]][] =>
  Object.entries(row).flatMap(([column, name = '']) => {
    const number = /^attribute (\d+) name$/.exec(column)?.[1];
    if (number === undefined || name.trim() === '') return [];
    const values = wooList(row[`attribute ${number} value(s)`] ?? '').filter((value) => value !== '');
    return [[lineOf(name), values]];
  });

const UNSOLD: readonly (readonly [kind: RegExp, cause: string])[] = [
  [/\bgrouped\b/, 'is a group of other products'],
  [/\bexternal\b/, 'is sold at another shop'],
  [/\b(?:virtual|downloadable)\b/, 'is a download or a service'],
];

function readWooCommerce(reading: Reading, rows: readonly Row[]): void {
  const woo = (row: Row, field: keyof typeof WOOCOMMERCE) => cell(row, ...WOOCOMMERCE[field]);
  const isVariation = (row: Row): boolean => /\bvariation\b/.test(woo(row, 'type') ?? '');
  const byParent = Map.groupBy(rows.filter(isVariation), (row) => woo(row, 'parent')?.trim() ?? '');
  const handles = new Set<string>();
  for (const row of rows) {
    if (isVariation(row)) continue;
    const title = lineOf(woo(row, 'title') ?? '');
    const [id = '', sku = ''] = [woo(row, 'id')?.trim(), woo(row, 'sku')?.trim()];
    const keys = [...(sku === '' ? [] : [sku]), ...(id === '' ? [] : [`id:${id}`])];
    const children = keys.flatMap((key) => byParent.get(key) ?? []);
    for (const key of keys) byParent.delete(key);
    const [, unsold] = UNSOLD.find(([kind]) => kind.test(woo(row, 'type') ?? '')) ?? [];
    const slug = idOf(sku) || idOf(title) || `product-${id || fingerprint(sku + title)}`;
    const handle = handles.has(slug) && id !== '' ? `${slug}-${id}` : slug;
    if (title === '' || unsold !== undefined || handles.has(handle)) {
      const cause = title === '' ? 'has no title' : (unsold ?? 'is in the file twice');
      reading.left.push({ title: title || sku || id, cause });
      continue;
    }
    handles.add(handle);
    const variantOf = (variant: Row, options: Options): Variant => ({
      options,
      regular: woo(variant, 'regular') ?? '',
      sale: woo(variant, 'sale') ?? '',
      saleFrom: momentOf(woo(variant, 'saleFrom') ?? '', '00:00'),
      saleUntil: momentOf(woo(variant, 'saleUntil') ?? '', '23:59'),
      picture: addressesIn([woo(variant, 'images')?.split(/,\s*/)[0]])[0] ?? '',
      isSoldOut: isNo(woo(variant, 'inStock')),
    });
    const all = wooAttributes(row);
    const chosen = new Set(children.flatMap((child) => wooAttributes(child).map(([name]) => name)));
    const options = new Map(all.filter(([name]) => chosen.has(name)));
    const [description, short] = [woo(row, 'description'), woo(row, 'short')];
    const [category = ''] = (woo(row, 'categories') ?? '').split(/(?<!\\),/);
    const text = textOf(wooText(description ?? '')) || textOf(wooText(short ?? ''));
    addProducts(reading, {
      handle,
      title,
      fields: {
        ...(description === undefined && short === undefined ? {} : { description: text }),
        ...categoryFields(category.replaceAll('\\,', ',').split('>')),
        attributes: [
          ...all.filter(([name]) => !chosen.has(name)).flatMap(([name, values]) => attribute(name, values)),
          ...(isYes(woo(row, 'featured')) ? [{ key: 'featured', values: ['true'] }] : []),
        ],
      },
      pictures: addressesIn((woo(row, 'images') ?? '').split(/,\s*(?=(?:https?:)?\/\/|$)/)),
      isDraft: isNo(woo(row, 'published')) || woo(row, 'visibility') === 'hidden',
      options,
      variants:
        children.length === 0
          ? [variantOf(row, {})]
          : children.map((child) => variantOf(child, variationOptions(options, child))),
    });
  }
  for (const variation of [...byParent.values()].flat())
    reading.left.push({
      title: lineOf(woo(variation, 'title') ?? ''),
      cause: 'is a variation whose product is not in the file',
    });
}

const variationOptions = (options: ReadonlyMap<string, unknown>, child: Row): Options => {
  const own = new Map(wooAttributes(child));
  return Object.fromEntries([...options.keys()].map((name) => [name, own.get(name)?.[0] ?? '']));
};

const headOf = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ');

const rowOf = (heads: readonly string[], { cells }: CsvRow): Row =>
  Object.fromEntries(heads.map((name, place) => [name, cells[place] ?? '']));

const NO_EXPORT =
  'The first line has not the columns of a product export of Shopify (Handle, Title, …) or WooCommerce (ID, Type, SKU, Name, …). WooCommerce in another language: set the language of your profile in WordPress to English, and export again.';

/** @throws ExplainedError for another file, CsvError for one that is no CSV */
export async function readProductExport(text: string): Promise<ProductExport> {
  const [head, ...body] = await readCsv(text, MOST_ROWS + 2, LONGEST_ROW);
  const heads = (head?.cells ?? []).map(headOf);
  const has = (names: readonly string[]): boolean => names.some((name) => heads.includes(name));
  const isShopify = has(['handle', 'url handle']) && has(['title']);
  const isWooCommerce = has(WOOCOMMERCE.title) && has(WOOCOMMERCE.regular);
  if (!isShopify && !isWooCommerce) throw new ExplainedError(NO_EXPORT);
  if (body.length > MOST_ROWS) throw new ExplainedError(`The file has more than ${MOST_ROWS} rows.`);
  const reading: Reading = { products: [], left: [], remarks: [] };
  const rows = body.map((row) => rowOf(heads, row));
  if (isShopify) readShopify(reading, rows);
  else readWooCommerce(reading, rows);
  return { shop: isShopify ? 'Shopify' : 'WooCommerce', ...reading };
}
