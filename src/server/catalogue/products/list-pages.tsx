import type { ReactNode } from 'react';
import { salePhase } from '#domain/sale.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath, SALES, SORT, thumbnailPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Badge, Hint, LinkButton, Pagination, pageNumber, Row } from '#server/admin/views/pieces.tsx';
import {
  filterProducts,
  filterQuery,
  type ListedProduct,
  PriceNow,
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

/** The price that customers pay now, and a mark for a planned sale. */
const renderPrice = (product: ListedProduct, now: number): ReactNode => (
  <>
    <PriceNow prices={product} now={now} />
    {salePhase(product, now) === 'planned' && <Badge>Sale planned</Badge>}
  </>
);

function renderProductItem(product: ListedProduct, now: number): ReactNode {
  const { id, title, category, imgUrl, isDiscontinued } = product;
  return (
    <li key={id}>
      <img src={thumbnailPath(imgUrl)} alt="" width="64" height="64" loading="lazy" />
      <div className="flex-1">
        <a className="block py-1 font-semibold" href={productPath(id)}>
          {title}
        </a>
        <span className="text-caption text-ink2">{category}</span>
      </div>
      <div className="flex flex-wrap justify-end gap-x-1">
        {renderPrice(product, now)}
        {isDiscontinued && <Badge>Discontinued</Badge>}
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
    content: (
      <>
        <Row>
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
        </Row>
        {renderFilter(CATALOGUE, filter, products)}
        {shown.length === 0 ? (
          <p>No product matches.</p>
        ) : (
          <>
            <Hint>
              Showing {from + 1}–{from + shown.length} of {found.length}
            </Hint>
            <ul className="m-0 mb-5 max-w-215 list-none p-0 *:flex *:items-center *:gap-x-4 *:gap-y-2 *:border-line *:border-b *:py-3 [&_img]:flex-none [&_img]:rounded-input [&_img]:bg-mist [&_img]:object-contain">
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
