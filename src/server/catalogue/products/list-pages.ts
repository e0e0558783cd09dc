import { html } from 'hono/html';
import { formatRupees } from '#domain/money.ts';
import { discountAt, salePhase } from '#domain/sale.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath, SALES, SORT, thumbnailPath } from '#server/admin/paths.ts';
import type { Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { pageNumber, pagination } from '#server/admin/views/pieces.ts';
import {
  filterProducts,
  filterQuery,
  type ListedProduct,
  productList,
  readFilter,
  renderFilter,
} from '#server/catalogue/product-list.ts';
import type { Services } from '#server/services/services.ts';
import { sendSmallPicture } from '#server/store/picture.ts';

/** In px, for a list's pictures on screens with a pixel ratio of 2. */
const SIDE = 192;

/** Whole pictures would make lists slow on a phone. */
const showThumbnail = (context: AdminContext, services: Services): Promise<Response> =>
  sendSmallPicture(context, services, context.req.param('name') ?? '', String(SIDE), (picture) =>
    picture.resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true }),
  );

const ROWS_A_PAGE = 24;

/** The price that customers pay now, the regular price beside a reduced one, and a mark for a planned sale. */
function renderPrice(product: ListedProduct, now: number): Html {
  const { regularPrice } = product;
  const discount = discountAt(product, now);
  if (discount !== null)
    return html`<span>${formatRupees(discount)}</span> <s><span class="unseen">Regular price </span>${formatRupees(regularPrice)}</s>`;
  const planned = salePhase(product, now) === 'planned' ? html`<span class="badge">Sale planned</span>` : '';
  return html`<span>${formatRupees(regularPrice)}</span>${planned}`;
}

function renderProductItem(product: ListedProduct, now: number): Html {
  const { id, title, category, imgUrl, isDiscontinued } = product;
  return html`<li><img src="${thumbnailPath(imgUrl)}" alt="" width="64" height="64" loading="lazy">
<div><a href="${productPath(id)}">${title}</a><span class="hint">${category}</span></div>
<div class="price">${renderPrice(product, now)}${isDiscontinued ? html`<span class="badge">Discontinued</span>` : ''}</div></li>`;
}

async function showList(context: AdminContext, services: Services) {
  const filter = readFilter(context);
  const products = await productList(services.db);
  const found = filterProducts(products, filter);
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = pageNumber(context.req.query('page'), pages);
  const shown = found.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
  const from = (page - 1) * ROWS_A_PAGE;
  return showPage(context, {
    title: 'Catalogue',
    styles: 'catalogue.css',
    content: html`<div class="row"><a class="button" href="${CATALOGUE}/new">New product</a>
<a class="button quiet" href="${PRICES}">Prices by CSV</a><a class="button quiet" href="${SALES}">Sales</a><a class="button quiet" href="${SORT}">Sort</a></div>
${renderFilter(CATALOGUE, filter, products)}
${
  shown.length === 0
    ? html`<p>No product matches.</p>`
    : html`<p class="hint">Showing ${from + 1}–${from + shown.length} of ${found.length}</p>
<ul class="products">${shown.map((product) => renderProductItem(product, services.clock()))}</ul>`
}
${pagination({ page, pages, path: (number) => CATALOGUE + filterQuery(filter, number) })}`,
  });
}

const access = 'catalogue';

export const PRODUCT_LIST_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue', access, handle: showList },
  { method: 'GET', path: '/catalogue/thumbnails/:name', access, handle: showThumbnail },
];
