import type { ReactNode } from 'react';
import { formatRupees } from '#domain/money.ts';
import { salePhase } from '#domain/sale.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath, SALES } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Hint, Pagination, pageNumber, Table, Time } from '#server/admin/views/pieces.tsx';
import { type ListedProduct, productList } from '#server/catalogue/product-list.tsx';
import type { Services } from '#server/services/services.ts';

const ROWS_A_PAGE = 24;

/** In the order of the page. Products without a sale price are left out. */
const PHASES = [
  { phase: 'planned', label: 'Planned', sortedBy: 'saleFrom' },
  { phase: 'now', label: 'On sale now', sortedBy: 'saleUntil' },
  { phase: 'over', label: 'Over', sortedBy: 'saleUntil' },
] as const;

const moment = (iso: string | undefined, none: string): ReactNode =>
  iso ? <Time at={Date.parse(iso)} /> : none;

const row = ({
  id,
  title,
  regularPrice,
  discountedPrice,
  saleFrom,
  saleUntil,
}: ListedProduct): ReactNode[] => [
  <a href={productPath(id)}>{title}</a>,
  <>
    {formatRupees(discountedPrice ?? regularPrice)}{' '}
    <s className="text-caption text-ink2">
      <span className="sr-only">Regular price </span>
      {formatRupees(regularPrice)}
    </s>
  </>,
  moment(saleFrom, 'At once'),
  moment(saleUntil, 'Until you end it'),
];

/** Shows planned, current and past sales, each sorted by its next change. Discontinued products are left out. */
async function showSales(context: AdminContext, services: Services): Promise<Response> {
  const now = services.clock();
  const products = (await productList(services.db)).filter(({ isDiscontinued }) => !isDiscontinued);
  const byPhase = Map.groupBy(products, (product) => salePhase(product, now));
  const found = PHASES.flatMap(({ phase, label, sortedBy }) => {
    const at = (product: ListedProduct): number => Date.parse(product[sortedBy] ?? '9999-01-01');
    const sorted = (byPhase.get(phase) ?? []).toSorted((one, other) => at(one) - at(other));
    return sorted.map((product) => ({ label, product }));
  });
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = pageNumber(context.req.query('page'), pages);
  const shown = found.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
  const counts = PHASES.map(({ phase, label }) => `${label}: ${byPhase.get(phase)?.length ?? 0}`).join(', ');
  const tables = [...Map.groupBy(shown, ({ label }) => label)].map(([label, rows]) => (
    <Table
      key={label}
      caption={label}
      heads={['Product', 'Sale price', 'From', 'Until']}
      rows={rows.map(({ product }) => row(product))}
    />
  ));
  return showPage(context, {
    title: 'Sales',
    content: (
      <>
        <p>
          <a href={CATALOGUE}>All products</a>
        </p>
        <p>
          Plan a sale on the page of a product, or for many at once in <a href={PRICES}>Prices by CSV</a>. It
          begins and ends automatically, in Indian time.
        </p>
        <Hint>{counts}</Hint>
        {tables}
        <Pagination page={page} pages={pages} path={(number) => `${SALES}?page=${number}`} />
      </>
    ),
  });
}

export const SALE_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue/sales', access: 'catalogue', handle: showSales },
];
