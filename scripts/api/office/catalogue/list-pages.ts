import { html } from 'hono/html';
import sharp from 'sharp';
import * as v from 'valibot';
import { formatRupees } from '#domain/money.ts';
import { isImageName } from '#scripts/api/catalogue/images.ts';
import { foldText, type ListedProduct, productList } from '#scripts/api/catalogue/product-list.ts';
import { notModified } from '#scripts/api/http/not-modified.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { drawField } from '#scripts/api/office/forms/draw.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import type { Html } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { pageNumber, pagination } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop.ts';
import { categoryNames } from './categories.ts';
import { CATALOGUE, productPath, thumbnailPath } from './paths.ts';

const ROWS_A_PAGE = 24;

export interface ProductFilter {
  readonly q: string;
  readonly category: string;
  /** 'on' for those on sale, 'out' for those that are not, '' for all. */
  readonly sale: string;
}

const SALE_OPTIONS = [
  { value: '', label: 'All products' },
  { value: 'on', label: 'On sale' },
  { value: 'out', label: 'Out of sale' },
];

export const readFilter = ({ req }: OfficeContext): ProductFilter => {
  const { q = '', category = '', sale = '' } = req.query();
  return { q, category, sale };
};

/** The products that have every word of `q` in their title, id or categories. */
export function filterProducts(
  products: readonly ListedProduct[],
  { q, category, sale }: ProductFilter,
): readonly ListedProduct[] {
  const words = foldText(q).split(/\s+/).filter(Boolean);
  return products.filter(
    (product) =>
      words.every((word) => product.searchText.includes(word)) &&
      (category === '' || product.category === category) &&
      (sale === '' || product.isOnSale === (sale === 'on')),
  );
}

/** A filter as the query of an address. */
export const filterQuery = (filter: ProductFilter, page = 1): string => {
  const values = Object.entries({ ...filter, page: page === 1 ? '' : String(page) });
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
};

export function drawFilter(action: string, filter: ProductFilter, products: readonly ListedProduct[]): Html {
  const names = categoryNames(products, 'category').sort();
  const options = [
    { value: '', label: 'Every category' },
    ...[...new Set([...names, filter.category])].filter(Boolean).map((value) => ({ value, label: value })),
  ];
  const typed = { ...filter };
  return html`<form class="row filter" method="get" action="${action}" role="search">
${drawField('q', { label: 'Search', control: 'search' }, typed)}
${drawField('category', { label: 'Category', control: 'select', options }, typed)}
${drawField('sale', { label: 'Show', control: 'select', options: SALE_OPTIONS }, typed)}
<button class="quiet">Search</button>${filterQuery(filter) === '' ? '' : html`<a href="${action}">Show all</a>`}</form>`;
}

export const drawPrice = ({ regularPrice, discountedPrice }: ListedProduct): Html =>
  discountedPrice
    ? html`<span>${formatRupees(discountedPrice)}</span> <s><span class="unseen">Regular price </span>${formatRupees(regularPrice)}</s>`
    : html`<span>${formatRupees(regularPrice)}</span>`;

function drawProductItem(product: ListedProduct): Html {
  const { id, title, category, picture, isOnSale } = product;
  return html`<li><img src="${thumbnailPath(picture)}" alt="" width="64" height="64" loading="lazy">
<div><a href="${productPath(id)}">${title}</a><span class="hint">${category}</span></div>
<div class="price">${drawPrice(product)}${isOnSale ? '' : html`<span class="badge">Out of sale</span>`}</div></li>`;
}

async function showList(context: OfficeContext, shop: Shop) {
  const filter = readFilter(context);
  const products = await productList(shop.db);
  const found = filterProducts(products, filter);
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = pageNumber(context.req.query('page'), pages);
  const shown = found.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
  const from = (page - 1) * ROWS_A_PAGE;
  return showPage(context, {
    title: 'Catalogue',
    styles: 'catalogue.css',
    content: html`<div class="row"><a class="button" href="${CATALOGUE}/new">New product</a>
<a class="button quiet" href="${CATALOGUE}/prices">Prices by CSV</a><a class="button quiet" href="${CATALOGUE}/sort">Sort</a></div>
${drawFilter(CATALOGUE, filter, products)}
${
  shown.length === 0
    ? html`<p>No product matches.</p>`
    : html`<p class="hint">Showing ${from + 1}–${from + shown.length} of ${found.length}</p>
<ul class="products">${shown.map(drawProductItem)}</ul>`
}
${pagination({ page, pages, path: (number) => CATALOGUE + filterQuery(filter, number) })}`,
  });
}

const PictureSchema = v.object({ etag: v.string(), bytes: v.instance(Uint8Array) });

/** In px: the side of a picture in lists, on screens with two pixels for each. */
const SIDE = 192;

/** A picture of at most a few KB, because whole pictures would make lists slow on a phone. */
async function showThumbnail(context: OfficeContext, { db }: Shop): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const picture = isImageName(name)
    ? await db.get(PictureSchema, 'SELECT etag, bytes FROM pictures WHERE name = ?', name)
    : undefined;
  if (!picture) throw new Refusal(404, 'There is no such picture.');
  const cached = notModified(context, `"${picture.etag}-${SIDE}"`, 'private, max-age=600');
  if (cached) return cached;
  try {
    const small = await sharp(picture.bytes)
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 70 })
      .toBuffer();
    return context.body(new Uint8Array(small), 200, { 'Content-Type': 'image/webp' });
  } catch {
    throw new Refusal(404, 'This picture cannot be read.');
  }
}

const access = ['editor'] as const;

export const LIST_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/catalogue', access, handle: showList },
  { method: 'GET', path: '/catalogue/thumbnails/:name', access, handle: showThumbnail },
];
