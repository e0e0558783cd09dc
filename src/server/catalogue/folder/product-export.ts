import { isDeepStrictEqual } from 'node:util';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { fingerprint } from '#domain/product.ts';
import { tidyText } from '#domain/text.ts';
import { readCsv } from '#server/admin/csv.ts';
import {
  isSaleBelowRegular,
  OptionalMomentTextSchema,
  OptionalRupeesTextSchema,
  type TypedPrices,
} from '#server/admin/forms/prices.ts';
import { type CatalogueProduct, ProductIdSchema } from '#server/catalogue/schema.ts';
import { slugOf } from '#server/catalogue/stored-products.ts';
import { isReserved } from '#server/http/names.ts';
import { ExplainedError } from '#server/process/explained-error.ts';

/* Reads the product exports of Shopify and WooCommerce. */

/** A product of another shop. Fields that the file lacks are undefined. */
export interface ExportedProduct {
  readonly id: string;
  readonly title: string;
  readonly fields: Partial<CatalogueProduct>;
  /** Addresses at the other shop, the main one first. */
  readonly pictures: readonly string[];
  readonly isDraft: boolean;
  readonly isSoldOut: boolean;
}

/** What an owner must know about a product. Products with equal remarks are named together. */
export interface Remark {
  readonly title: string;
  readonly remark: string;
}

/** @param cause why the product cannot be taken */
export const leftOut = (title: string, cause: string): Remark => ({ title, remark: `Left out: ${cause}` });

const lookAt = (title: string, what: string): Remark => ({ title, remark: `Look at this: ${what}` });

export interface ProductExport {
  readonly shop: 'Shopify' | 'WooCommerce';
  readonly products: ExportedProduct[];
  readonly remarks: Remark[];
}

const MOST_ROWS = 100_000;

/** In characters: descriptions may contain pictures. */
const LONGEST_ROW = 5_000_000;

const MOST_PICTURES = 20;

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
  /** An option with '' stands for all its values. */
  readonly options: Readonly<Record<string, string>>;
  readonly prices: TypedPrices | string;
  readonly saleFrom?: string | undefined;
  readonly saleUntil?: string | undefined;
  readonly picture: string;
  readonly isSoldOut: boolean;
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
  /** The values of each option, in their order. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly variants: readonly Variant[];
}

const valuesOf = ({ options }: Source, variants: readonly Variant[], name: string): string[] => [
  ...new Set(variants.flatMap((each) => each.options[name] || (options.get(name) ?? []))),
];

/** How the variants of a product differ from the first ones, such as 'Large'. */
function labelOf(source: Source, variants: readonly Variant[], first: readonly Variant[]): string {
  const values = [...source.options.keys()].map((name) => ({
    list: valuesOf(source, variants, name),
    ofFirst: valuesOf(source, first, name),
  }));
  const differing = values.filter(({ list, ofFirst }) => !isDeepStrictEqual(list, ofFirst));
  return (differing.length > 0 ? differing : values).map(({ list }) => list.join('/')).join(', ');
}

/** The fields that all variants share. */
function fieldsOf({ description, categories, attributes }: Source): Partial<CatalogueProduct> {
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
 * Adds the products of a source. A product of this shop has one price, sizes and colours: variants with another price, or
 * another value of a third option, become a product of their own.
 */
function addProducts({ products, remarks }: ProductExport, source: Source): void {
  const { title, handle, variants, isDraft } = source;
  const names = [...source.options.keys()];
  const colour = names.find((name) => COLOUR.test(name));
  const size = names.find((name) => SIZE.test(name)) ?? names.find((name) => name !== colour);
  const others = names.filter((name) => name !== size && name !== colour);
  const kinds = [
    ...Map.groupBy(variants, ({ options, prices, saleFrom, saleUntil }) =>
      JSON.stringify([prices, saleFrom, saleUntil, ...others.map((name) => options[name])]),
    ).values(),
  ];
  const [first = []] = kinds;
  if (kinds.length === 0) remarks.push(leftOut(title, 'has no price'));
  if (kinds.length > 1)
    remarks.push(lookAt(title, 'became several, because its variants differ in price or a third option'));
  for (const [index, kind] of kinds.entries()) {
    const [{ prices, saleFrom, saleUntil, picture } = { prices: '', picture: '' }] = kind;
    const label = index === 0 ? '' : labelOf(source, kind, first);
    const name = label === '' ? title : `${title}, ${label}`;
    if (typeof prices === 'string') {
      remarks.push(leftOut(name, prices));
      continue;
    }
    const choices = Object.entries({ size, colour })
      .map(([key, option]) => ({ key, values: option === undefined ? [] : valuesOf(source, kind, option) }))
      .filter(({ values }) => values.length > 0);
    const pairs = choices.reduce((product, { values }) => product * values.length, 1);
    if (kind.length < pairs && kind.every(({ options }) => Object.values(options).every(Boolean)))
      remarks.push(lookAt(name, 'lacks some pairs of size and colour, which can be chosen here'));
    const pictures = [...new Set([...(kinds.length > 1 ? [picture] : []), ...source.pictures])].filter(
      Boolean,
    );
    if (pictures.length > MOST_PICTURES)
      remarks.push(lookAt(name, `has more than ${MOST_PICTURES} pictures: the others were left`));
    const fields = fieldsOf(source);
    products.push({
      id: index === 0 ? handle : `${handle}-${slugOf(label) || index + 1}`,
      title: name,
      fields: {
        ...fields,
        title: name,
        ...prices,
        ...(prices.discountedPrice !== null && saleFrom && { saleFrom }),
        ...(prices.discountedPrice !== null && saleUntil && { saleUntil }),
        attributes: [...(fields.attributes ?? []), ...choices],
      },
      pictures: pictures.slice(0, MOST_PICTURES),
      isDraft,
      isSoldOut: kind.every(({ isSoldOut }) => isSoldOut),
    });
  }
}

/** The columns of a shop: the first of these names that a file has. */
type Columns = Readonly<Record<string, readonly string[]>>;

/** A row by these columns, '' without the column. `all` has every column by its name. */
type Row<C extends Columns> = { readonly [Name in keyof C]: string } & {
  readonly all: Readonly<Record<string, string>>;
};

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

const SHOPIFY = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  description: ['body (html)', 'description'],
  giftCard: ['gift card'],
  taxonomy: ['product category'],
  type: ['type'],
  tags: ['tags'],
  vendor: ['vendor'],
  published: ['published', 'published on online store'],
  status: ['status'],
  price: ['variant price', 'price'],
  compared: ['variant compare at price', 'compare-at price', 'compare at price'],
  quantity: ['variant inventory qty', 'inventory quantity'],
  tracker: ['variant inventory tracker', 'inventory tracker'],
  whenSoldOut: ['variant inventory policy', 'continue selling when out of stock'],
  variantPicture: ['variant image', 'variant image url'],
  picture: ['image src', 'product image url'],
  position: ['image position'],
} as const satisfies Columns;

function addShopifyProduct(
  reading: ProductExport,
  handle: string,
  rows: readonly Row<typeof SHOPIFY>[],
): void {
  const titles = rows.map((row) => lineOf(row.title));
  const title = titles.find(Boolean) ?? '';
  const cause = `has the handle of “${title}”, ${handle}`;
  const others = titles.filter((other) => other !== '' && other !== title);
  reading.remarks.push(...others.map((other) => leftOut(other, cause)));
  const own = rows.filter((_, index) => !others.includes(titles[index] ?? ''));
  const [main] = own;
  if (!main || title === '') return void reading.remarks.push(leftOut(handle, 'has no title'));
  if (isYes(main.giftCard)) return void reading.remarks.push(leftOut(title, 'is a gift card'));
  const names = ['option1', 'option2', 'option3']
    .map((column) => ({ value: `${column} value`, name: lineOf(main.all[`${column} name`] ?? '') }))
    .filter(({ value, name }) => name !== '' && main.all[value] !== 'Default Title');
  const variants = own
    .filter(({ price, all }) => price !== '' || names.some(({ value }) => all[value]))
    .map((row): Variant => {
      const { price, compared, quantity, tracker, whenSoldOut } = row;
      const isReduced = (priceOf(compared) ?? 0) > (priceOf(price) ?? 0);
      const isCounted = tracker !== '' && quantity !== '' && /^(?:deny|false)$/i.test(whenSoldOut);
      return {
        options: Object.fromEntries(names.map(({ name, value }) => [name, lineOf(row.all[value] ?? '')])),
        prices: isReduced ? pricesOf(compared, price) : pricesOf(price, ''),
        picture: addressesIn([row.variantPicture])[0] ?? '',
        isSoldOut: isCounted && Number(quantity) <= 0,
      };
    });
  const place = (row: Row<typeof SHOPIFY>): number => Number(row.position) || 1e9;
  const taxonomy = main.taxonomy.split('>');
  const [tag = ''] = main.tags.split(',');
  const widest = main.taxonomy === '' ? [tag] : taxonomy;
  addProducts(reading, {
    // The handle itself is the product's address, if it can be one here.
    handle: v.is(ProductIdSchema, handle) ? handle : idOf(handle) || `product-${fingerprint(handle)}`,
    title,
    description: main.description,
    categories: main.type === '' ? widest : [taxonomy[0] ?? '', main.type],
    attributes: [['Brand', [main.vendor]]],
    pictures: addressesIn(own.toSorted((one, other) => place(one) - place(other)).map((row) => row.picture)),
    isDraft: isNo(main.published) || !['', 'active'].includes(main.status.toLowerCase()),
    options: new Map(names.map(({ name }) => [name, variants.map(({ options }) => options[name] ?? '')])),
    variants,
  });
}

/** Rows without a handle belong to the product above them. */
function readShopify(reading: ProductExport, rows: readonly Row<typeof SHOPIFY>[]): void {
  let last = '';
  const products = Map.groupBy(rows, ({ handle, title }) => {
    last = handle || slugOf(lineOf(title)) || last;
    return last.toLowerCase();
  });
  for (const [handle, all] of products) addShopifyProduct(reading, handle, all);
}

/** Exports of WooCommerce have the columns in the language of the user who exports. */
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
} as const satisfies Columns;

type WooRow = Row<typeof WOOCOMMERCE>;

/** WooCommerce writes a line break as a backslash and an n, and a comma inside a value after a backslash. */
const wooList = (text: string): string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','));

const wooAttributes = ({ all }: WooRow): (readonly [name: string, values: string[]])[] =>
  Object.entries(all).flatMap(([column, name]) => {
    const number = /^attribute (\d+) name$/.exec(column)?.[1];
    if (number === undefined || name === '') return [];
    const values = wooList(all[`attribute ${number} value(s)`] ?? '').map(lineOf);
    return [[lineOf(name), values.filter(Boolean)]];
  });

const UNSOLD: readonly (readonly [kind: RegExp, cause: string])[] = [
  [/\bgrouped\b/, 'is a group of other products'],
  [/\bexternal\b/, 'is sold at another shop'],
  [/\b(?:virtual|downloadable)\b/, 'is a download or a service'],
];

function wooVariant(row: WooRow, options: ReadonlyMap<string, unknown>): Variant {
  const own = new Map(wooAttributes(row));
  return {
    options: Object.fromEntries([...options.keys()].map((name) => [name, own.get(name)?.[0] ?? ''])),
    prices: pricesOf(row.regular, row.sale),
    saleFrom: momentOf(row.saleFrom, '00:00'),
    saleUntil: momentOf(row.saleUntil, '23:59'),
    picture: addressesIn([row.images.split(/,\s*/)[0] ?? ''])[0] ?? '',
    isSoldOut: isNo(row.inStock),
  };
}

function readWooCommerce(reading: ProductExport, rows: readonly WooRow[]): void {
  const isVariation = ({ type }: WooRow): boolean => /\bvariation\b/.test(type);
  const byParent = Map.groupBy(rows.filter(isVariation), ({ parent }) => parent);
  const handles = new Set<string>();
  for (const row of rows.filter((each) => !isVariation(each))) {
    const { id, sku } = row;
    const title = lineOf(row.title);
    const keys = [sku, id && `id:${id}`].filter(Boolean);
    const children = keys.flatMap((key) => byParent.get(key) ?? []);
    for (const key of keys) byParent.delete(key);
    const [, unsold] = UNSOLD.find(([kind]) => kind.test(row.type)) ?? [];
    const slug = idOf(sku) || idOf(title) || `product-${id || fingerprint(sku + title)}`;
    const handle = handles.has(slug) && id !== '' ? `${slug}-${id}` : slug;
    if (title === '' || unsold !== undefined || handles.has(handle)) {
      const cause = title === '' ? 'has no title' : (unsold ?? 'is in the file twice');
      reading.remarks.push(leftOut(title || sku || id, cause));
      continue;
    }
    handles.add(handle);
    const all = wooAttributes(row);
    const chosen = new Set(children.flatMap((child) => wooAttributes(child).map(([name]) => name)));
    const options = new Map(all.filter(([name]) => chosen.has(name)));
    const featured = isYes(row.featured) ? [['featured', ['true']] as const] : [];
    addProducts(reading, {
      handle,
      title,
      description: (row.description || row.short).replaceAll('\\n', '\n'),
      categories: wooList(row.categories)[0]?.split('>') ?? [],
      attributes: [...all.filter(([name]) => !chosen.has(name)), ...featured],
      pictures: addressesIn(row.images.split(/,\s*(?=(?:https?:)?\/\/|$)/)),
      isDraft: isNo(row.published) || row.visibility === 'hidden',
      options,
      variants: (children.length === 0 ? [row] : children).map((each) => wooVariant(each, options)),
    });
  }
  for (const variation of [...byParent.values()].flat())
    reading.remarks.push(leftOut(lineOf(variation.title), 'is a variation whose product is not in the file'));
}

const NO_EXPORT =
  'This is not a CSV file of a product export of Shopify (Handle, Title, …) or WooCommerce (ID, Type, SKU, Name, …). WooCommerce in another language: set the language of your profile in WordPress to English, and export again.';

/** @throws ExplainedError for another file, CsvError for one that is no CSV */
export async function readProductExport(text: string): Promise<ProductExport> {
  const [head, ...body] = await readCsv(text, MOST_ROWS + 2, LONGEST_ROW);
  const heads = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  const has = (names: readonly string[]): boolean => names.some((name) => heads.includes(name));
  if (body.length > MOST_ROWS) throw new ExplainedError(`The file has more than ${MOST_ROWS} rows.`);

  function rowsBy<C extends Columns>(columns: C): Row<C>[] {
    const used = Object.entries(columns).map(([field, names]) => ({
      field,
      name: names.find((name) => heads.includes(name)) ?? '',
    }));
    return body.map(({ cells }) => {
      const all = Object.fromEntries(heads.map((name, place) => [name, cells[place]?.trim() ?? '']));
      const own = Object.fromEntries(used.map(({ field, name }) => [field, all[name] ?? '']));
      return { ...own, all } as Row<C>;
    });
  }

  if (has(SHOPIFY.handle) && has(SHOPIFY.title)) {
    const reading: ProductExport = { shop: 'Shopify', products: [], remarks: [] };
    readShopify(reading, rowsBy(SHOPIFY));
    return reading;
  }
  if (!has(WOOCOMMERCE.title) || !has(WOOCOMMERCE.regular)) throw new ExplainedError(NO_EXPORT);
  const reading: ProductExport = { shop: 'WooCommerce', products: [], remarks: [] };
  readWooCommerce(reading, rowsBy(WOOCOMMERCE));
  return reading;
}
