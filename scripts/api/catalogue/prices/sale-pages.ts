import { html } from 'hono/html';
import { formatRupees } from '#domain/money.ts';
import { type SalePhase, salePhase } from '#domain/sale.ts';
import { type ListedProduct, productList } from '#scripts/api/catalogue/product-list.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { CATALOGUE, PRICES, productPath } from '#scripts/api/office/paths.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { table, time } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

/** More rows than these are counted, so that the page stays small. */
const MOST_ROWS = 200;

interface Part {
  readonly phase: SalePhase;
  readonly title: string;
  readonly none: string;
  /** The moment by which its products are sorted, the earliest first. */
  readonly sortedBy: 'saleFrom' | 'saleUntil';
}

const PARTS: readonly Part[] = [
  { phase: 'now', title: 'On sale now', none: 'No product has a reduced price now.', sortedBy: 'saleUntil' },
  { phase: 'planned', title: 'To come', none: 'No sale is planned.', sortedBy: 'saleFrom' },
  { phase: 'over', title: 'Over', none: '', sortedBy: 'saleUntil' },
];

const moment = (iso: string | undefined, none: string): Content => (iso ? time(Date.parse(iso)) : none);

const row = ({ id, title, regularPrice, discountedPrice, saleFrom, saleUntil }: ListedProduct): Content[] => [
  html`<a href="${productPath(id)}">${title}</a>`,
  formatRupees(discountedPrice ?? regularPrice),
  formatRupees(regularPrice),
  moment(saleFrom, 'At once'),
  moment(saleUntil, 'Until you end it'),
];

function drawPart({ title, none, sortedBy }: Part, products: readonly ListedProduct[]): Html {
  if (products.length === 0) return none ? html`<h2>${title}</h2><p>${none}</p>` : html``;
  const at = (product: ListedProduct): number => Date.parse(product[sortedBy] ?? '9999-01-01');
  const sorted = products.toSorted((one, other) => at(one) - at(other));
  const more = products.length - MOST_ROWS;
  const heads = ['Product', 'Sale price', 'Regular price', 'From', 'Until'];
  return html`<h2>${title}</h2>${table(`${products.length.toLocaleString('en-IN')} ${products.length === 1 ? 'product' : 'products'}`, heads, sorted.slice(0, MOST_ROWS).map(row))}
${more > 0 ? html`<p>And ${more.toLocaleString('en-IN')} more.</p>` : ''}`;
}

/** What is on sale, what comes, and what is over. Products that are out of sale are left out. */
async function showSales(context: OfficeContext, shop: Shop): Promise<Response> {
  const products = (await productList(shop.db)).filter(({ isOnSale }) => isOnSale);
  const now = shop.clock();
  const byPhase = Map.groupBy(products, (product) => salePhase(product, now));
  return showPage(context, {
    title: 'Sales',
    styles: 'catalogue.css',
    content: html`<p><a href="${CATALOGUE}">All products</a></p>
<p>Plan a sale on the page of a product, or for many at once in <a href="${PRICES}">Prices by CSV</a>. It begins and ends by itself, in Indian time.</p>
${PARTS.map((part) => drawPart(part, byPhase.get(part.phase) ?? []))}`,
  });
}

export const SALE_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/catalogue/sales', access: 'catalogue', handle: showSales },
];
