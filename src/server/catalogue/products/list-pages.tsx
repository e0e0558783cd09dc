import type { ReactNode } from 'react';
import { formatRupees } from '#domain/money.ts';
import { discountAt, salePhase } from '#domain/sale.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath, SALES, SORT, thumbnailPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, Pagination, pageNumber } from '#server/admin/views/pieces.tsx';
import {
  filterProducts,
  filterQuery,
  type ListedProduct,
  productList,
  readFilter,
  renderFilter,
} from '#server/catalogue/product-list.tsx';
import type { Services } from '#server/services/services.ts';
import { sendSmallPicture } from '#server/store/picture.tsx';

/** In px, for a list's pictures on screens with a pixel ratio of 2. */
const SIDE = 192;

/** Whole pictures would make lists slow on a phone. */
const showThumbnail = (context: AdminContext, services: Services): Promise<Response> =>
  sendSmallPicture(context, services, context.req.param('name') ?? '', String(SIDE), (picture) =>
    picture.resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true }),
  );

const ROWS_A_PAGE = 24;

/** The price that customers pay now, the regular price beside a reduced one, and a mark for a planned sale. */
function renderPrice(product: ListedProduct, now: number): ReactNode {
  const { regularPrice } = product;
  const discount = discountAt(product, now);
  if (discount !== null)
    return (
      <>
        <span>{formatRupees(discount)}</span>{' '}
        <s>
          <span className="unseen">Regular price </span>
          {formatRupees(regularPrice)}
        </s>
      </>
    );
  const planned = salePhase(product, now) === 'planned' && <span className="badge">Sale planned</span>;
  return (
    <>
      <span>{formatRupees(regularPrice)}</span>
      {planned}
    </>
  );
}

function renderProductItem(product: ListedProduct, now: number): ReactNode {
  const { id, title, category, imgUrl, isDiscontinued } = product;
  return (
    <li key={id}>
      <img src={thumbnailPath(imgUrl)} alt="" width="64" height="64" loading="lazy" />
      <div>
        <a href={productPath(id)}>{title}</a>
        <span className="hint">{category}</span>
      </div>
      <div className="price">
        {renderPrice(product, now)}
        {isDiscontinued && <span className="badge">Discontinued</span>}
      </div>
    </li>
  );
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
    content: (
      <>
        <div className="row">
          <LinkButton href={`${CATALOGUE}/new`}>New product</LinkButton>{' '}
          <LinkButton look="quiet" href={PRICES}>
            Prices by CSV
          </LinkButton>
          <LinkButton look="quiet" href={SALES}>
            Sales
          </LinkButton>
          <LinkButton look="quiet" href={SORT}>
            Sort
          </LinkButton>
        </div>
        {renderFilter(CATALOGUE, filter, products)}
        {shown.length === 0 ? (
          <p>No product matches.</p>
        ) : (
          <>
            <p className="hint">
              Showing {from + 1}–{from + shown.length} of {found.length}
            </p>
            <ul className="products">
              {shown.map((product) => renderProductItem(product, services.clock()))}
            </ul>
          </>
        )}
        <Pagination page={page} pages={pages} path={(number) => CATALOGUE + filterQuery(filter, number)} />
      </>
    ),
  });
}

const access = 'catalogue';

export const PRODUCT_LIST_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue', access, handle: showList },
  { method: 'GET', path: '/catalogue/thumbnails/:name', access, handle: showThumbnail },
];
