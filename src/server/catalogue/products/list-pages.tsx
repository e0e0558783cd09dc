import type { ReactNode } from 'react';
import { sizesOf } from '#domain/attributes.ts';
import { tidyCode } from '#domain/text.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { ErrorSummary, FieldError, PostForm } from '#server/admin/forms/Form.tsx';
import { type FormState, formStatus } from '#server/admin/forms/field.ts';
import { movedTo } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Badge,
  Button,
  ConflictNotice,
  Hint,
  LinkButton,
  Pagination,
  Picture,
  pageNumber,
  Row,
} from '#server/admin/views/pieces.tsx';
import {
  filterQuery,
  filterStored,
  Prices,
  productList,
  readFilter,
  renderFilter,
} from '#server/catalogue/product-list.tsx';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { type StoredProduct, storedProducts } from '#server/catalogue/stored-products.ts';
import { lockCatalogue } from '#server/db/catalogue-version.ts';
import { sendSmallPicture } from '#server/pictures/show-image.ts';
import type { Services } from '#server/services/services.ts';
import { piecesOf, type StockRow, stockText } from '#server/stock/stock-facts.ts';
import { lowProducts, wholeStock } from '#server/stock/stored-stock.ts';
import { moveProduct } from './edit-products.ts';

/** In px, for a list's pictures on screens with a pixel ratio of 2. */
const SIDE = 192;

/** Whole pictures would make lists slow on a phone. */
const showThumbnail = (context: AdminContext, services: Services): Promise<Response> =>
  sendSmallPicture(context, services, context.req.param('name') ?? '', String(SIDE), (picture) =>
    picture.resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true }),
  );

const ROWS_A_PAGE = 20;

const orderParts = (ids: readonly string[]) => ({ order: ids.join('\n') });

const placeName = (id: string): string => `place.${id}`;

function stockOf({ attributes }: CatalogueProduct, rows: readonly StockRow[] | undefined): ReactNode {
  const text = stockText(piecesOf(rows), sizesOf(attributes));
  return text && <span className="text-caption text-ink2">Stock {text}</span>;
}

async function showList(
  context: AdminContext,
  services: Services,
  { notice, values = {}, errors }: FormState = {},
) {
  const filter = readFilter(context);
  const now = services.clock();
  const products = await productList(services.db);
  const places = new Map(products.map(({ product }, index) => [product.id, index + 1]));
  const found = filterStored(products, filter, now, await lowProducts(services.db));
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = pageNumber(context.req.query('page'), pages);
  const from = (page - 1) * ROWS_A_PAGE;
  const shown = found.slice(from, from + ROWS_A_PAGE);
  const stock = await wholeStock(services.db);

  function renderItem({ product, isDiscontinued }: StoredProduct): ReactNode {
    const { id, title, category, imgUrl } = product;
    const name = placeName(id);
    const field = `field-${name}`;
    const error = errors?.get(name);
    return (
      <li key={id}>
        <Picture name={imgUrl} alt="" />
        <div>
          <a href={productPath(id)}>{title}</a>
          <Prices prices={product} now={now} /> <span className="text-caption text-ink2">{category}</span>{' '}
          {isDiscontinued && <Badge>Discontinued</Badge>} {stockOf(product, stock.get(id))}
          {error && <FieldError id={`${field}-error`}>{error}</FieldError>}
        </div>
        <input
          className="control"
          id={field}
          name={name}
          inputMode="numeric"
          defaultValue={String(values[name] ?? places.get(id))}
          aria-label={`Place of ${title}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${field}-error` : undefined}
        />
      </li>
    );
  }

  return showPage(context, {
    title: 'Catalogue',
    content: (
      <>
        {notice}
        <Row>
          <LinkButton isMain href={`${CATALOGUE}/new`}>
            New product
          </LinkButton>{' '}
          <LinkButton href={PRICES}>Prices by CSV</LinkButton>
        </Row>
        {renderFilter(filter, products)}
        <ErrorSummary errors={errors} />
        {shown.length === 0 ? (
          <p>No product matches.</p>
        ) : (
          <PostForm
            action={CATALOGUE + filterQuery(filter, page)}
            className="mb-5"
            noValidate
            hidden={formVersion(orderParts([...places.keys()]))}
          >
            <Hint>
              Showing {from + 1}–{from + shown.length} of {found.length}, in the order of the shop. To move a
              product, type another place.
            </Hint>
            <ul className="m-0 mb-5 max-w-215 list-none p-0 *:flex *:items-center *:gap-4 *:border-line *:border-b *:py-3 [&_a]:block [&_a]:py-1 [&_a]:font-semibold [&_div]:flex-1 [&_input]:max-w-20">
              {shown.map(renderItem)}
            </ul>
            <Button variant="quiet">Move to the typed places</Button>
          </PostForm>
        )}
        <Pagination page={page} pages={pages} path={(number) => CATALOGUE + filterQuery(filter, number)} />
      </>
    ),
    status: formStatus({ notice, errors }),
  });
}

async function moveProducts(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    let order = (await storedProducts(transaction)).map(({ product }) => product.id);
    requireFormVersion(form, orderParts(order), {}, () => {
      const notice = (
        <ConflictNotice
          conflicts={[]}
          again="The list below has the current order. Move the products again if it is still right."
        />
      );
      return showList(context, services, { notice });
    });
    const values = Object.fromEntries(
      order.flatMap((id) => {
        const place = form.get(placeName(id));
        return typeof place === 'string' ? [[placeName(id), place.trim()]] : [];
      }),
    );
    const changed = order.flatMap((id, index) => {
      const place = tidyCode(values[placeName(id)] ?? String(index + 1));
      return place === String(index + 1) ? [] : [[id, /^\d{1,7}$/.test(place) ? Number(place) : 0] as const];
    });
    const places = new Map(changed.slice(0, ROWS_A_PAGE));
    const wrong = [...places].filter(([, place]) => place < 1 || place > order.length);
    if (wrong.length > 0) {
      const text = `Place must be a number from 1 to ${order.length}`;
      const errors = new Map(wrong.map(([id]) => [placeName(id), text]));
      throw new ChangeAborted(() => showList(context, services, { values, errors }));
    }
    for (const [id, place] of [...places].sort(([, one], [, other]) => one - other)) {
      const from = order.indexOf(id) + 1;
      order = movedTo(order, new Map([[id, place]]));
      await moveProduct(transaction, id, order[place]);
      await log({ action: 'moved', target: ['product', id], from: { place: from }, to: { place } });
    }
    const message =
      places.size === 0
        ? 'Nothing was moved.'
        : `${places.size === 1 ? 'One product was' : `${places.size} products were`} moved.`;
    return {
      to: CATALOGUE + filterQuery(readFilter(context), pageNumber(context.req.query('page'), 1e6)),
      message,
    };
  });
}

const access = 'catalogue';

export const PRODUCT_LIST_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue', access, handle: showList },
  { method: 'POST', path: '/catalogue', access, handle: moveProducts },
  { method: 'GET', path: '/catalogue/thumbnails/:name', access, handle: showThumbnail },
];
