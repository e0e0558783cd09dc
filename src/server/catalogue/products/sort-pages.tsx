import type { ReactNode } from 'react';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { ErrorSummary, FieldError, PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes } from '#server/admin/forms/field.ts';
import { sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, productPath, SORT } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Badge, Button, ConflictNotice, Pagination, pageNumber, Row } from '#server/admin/views/pieces.tsx';
import {
  filterProducts,
  filterQuery,
  type ListedProduct,
  type ProductFilter,
  productList,
  renderFilter,
} from '#server/catalogue/product-list.tsx';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { moveProduct } from './edit-products.ts';

const orderParts = (ids: readonly string[]) => ({ order: ids.join('\n') });

interface State {
  readonly filter: ProductFilter;
  readonly page: string;
  readonly notice?: ReactNode;
  readonly mistakes?: Mistakes;
  /** Typed positions by id. */
  readonly typed?: ReadonlyMap<string, string>;
  readonly status?: 200 | 409 | 422;
}

async function showSort(context: AdminContext, services: Services, state: State): Promise<Response> {
  const { filter, notice = '', mistakes, typed, status = 200 } = state;
  const products = await productList(services.db);
  const positions = new Map(products.map(({ id }, index) => [id, index + 1]));
  const found = filterProducts(products, filter);
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = pageNumber(state.page, pages);
  const from = (page - 1) * ROWS_A_PAGE;

  function renderItem({ id, title, isDiscontinued }: ListedProduct, index: number): ReactNode {
    const [field, position] = [`field-to-${index}`, String(positions.get(id))];
    const mistake = mistakes?.get(`to-${index}`);
    const button = (name: string, text: string) => (
      <Button look="quiet" size="small" name="do" value={`${name}-${index}`} aria-label={`${text}: ${title}`}>
        {text}
      </Button>
    );
    return (
      <li key={id}>
        <input type="hidden" name={`id-${index}`} value={id} />
        <input type="hidden" name={`at-${index}`} value={position} />
        <div className="grow basis-55">
          <a href={productPath(id)}>{title}</a> {isDiscontinued && <Badge>Discontinued</Badge>}
        </div>
        <Row>
          <label className="sr-only" htmlFor={field}>
            Position of {title}
          </label>
          <input
            className="control max-w-22"
            id={field}
            name={`to-${index}`}
            inputMode="numeric"
            defaultValue={typed?.get(id) ?? position}
            aria-invalid={mistake ? true : undefined}
            aria-describedby={mistake ? `${field}-error` : undefined}
          />
          {from + index > 0 && button('up', 'Up')}
          {from + index + 1 < found.length && button('down', 'Down')}
        </Row>
        {mistake && (
          <FieldError className="m-0 basis-full font-semibold text-error" id={`${field}-error`}>
            {mistake}
          </FieldError>
        )}
      </li>
    );
  }

  const items = found.slice(from, from + ROWS_A_PAGE).map(renderItem);
  const content = (
    <>
      {notice}
      <p>
        <a href={CATALOGUE}>All products</a>
      </p>
      <p>The shop shows products in this order. Type another position, or move them one by one.</p>
      {renderFilter(SORT, filter, products)}
      <ErrorSummary mistakes={mistakes} />
      {items.length === 0 ? (
        <p>No product matches.</p>
      ) : (
        <PostForm
          action={SORT}
          noValidate
          hidden={{ ...filter, page, ...formVersion(orderParts([...positions.keys()])) }}
        >
          <Button size="unseen" name="do" value="move" tabIndex={-1} aria-hidden="true">
            Move
          </Button>
          <ol
            className="m-0 mb-5 max-w-215 list-none p-0 *:flex *:flex-wrap *:items-center *:gap-x-4 *:gap-y-2 *:border-line *:border-b *:py-3"
            start={from + 1}
          >
            {items}
          </ol>
          <Row>
            <Button name="do" value="move">
              Move to the typed positions
            </Button>
          </Row>
        </PostForm>
      )}
      <Pagination page={page} pages={pages} path={(number) => SORT + filterQuery(filter, number)} />
    </>
  );
  return showPage(context, {
    title: 'Sort',
    content,
    status,
  });
}

const ORDER = q.selectFrom('products').select('id').orderBy('position').orderBy('id');

const storedOrder = async (db: Reader): Promise<string[]> => (await db.rows(ORDER)).map(({ id }) => id);

async function moveProducts(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const filter = {
    q: sentText(form, 'q'),
    category: sentText(form, 'category'),
    status: sentText(form, 'status'),
  };
  const page = sentText(form, 'page');
  const rows = readRows(form);
  const products = await productList(services.db);
  const titles = new Map(products.map(({ id, title }) => [id, title]));
  const found = filterProducts(products, filter).map(({ id }) => id);
  const typed = new Map(rows.map(({ id, to }) => [id, to]));
  const back = `${SORT}${filterQuery(filter, /^\d{1,7}$/.test(page) ? Number(page) : 1)}`;

  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    let order = await storedOrder(transaction);
    const moves = readMoves(form, rows, order, found);
    if (isMistakes(moves)) {
      throw new ChangeAborted(() =>
        showSort(context, services, { filter, page, mistakes: moves, typed, status: 422 }),
      );
    }
    const now = order;
    requireFormVersion(form, orderParts(now), {}, () => {
      const conflicts = moves.map(({ id, to }) => ({
        label: titles.get(id) ?? id,
        yours: `Position ${to + 1}`,
        now: `Position ${now.indexOf(id) + 1}`,
      }));
      const notice = (
        <ConflictNotice
          conflicts={conflicts}
          again="The list below has the current order. Move the products again if it is still right."
        />
      );
      return showSort(context, services, { filter, page, notice, status: 409 });
    });
    for (const { id, to } of moves) {
      const others = order.filter((other) => other !== id);
      await moveProduct(transaction, id, others[to]);
      await log({
        action: 'moved',
        target: ['product', id],
        from: { position: order.indexOf(id) + 1 },
        to: { position: to + 1 },
      });
      order = others.toSpliced(to, 0, id);
    }
    const first = moves[0];
    const moved =
      moves.length === 1 && first
        ? `${titles.get(first.id) ?? first.id} is now at position ${first.to + 1}.`
        : `${moves.length} products were moved.`;
    return { to: back, message: moves.length === 0 ? 'Nothing was moved.' : moved };
  });
}

const access = 'catalogue';

export const SORT_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/catalogue/sort',
    access,
    handle(context, services) {
      const { q = '', category = '', status = '', page = '' } = context.req.query();
      return showSort(context, services, { filter: { q, category, status }, page });
    },
  },
  { method: 'POST', path: '/catalogue/sort', access, handle: moveProducts },
];

export const ROWS_A_PAGE = 16;

export interface SortedRow {
  readonly id: string;
  /** The position when the form was rendered. */
  readonly at: string;
  /** The typed position. */
  readonly to: string;
}

export function readRows(form: FormData): SortedRow[] {
  const rows: SortedRow[] = [];
  for (let index = 0; index < ROWS_A_PAGE && form.has(`id-${index}`); index += 1) {
    rows.push({
      id: sentText(form, `id-${index}`),
      at: sentText(form, `at-${index}`),
      to: sentText(form, `to-${index}`).trim(),
    });
  }
  return rows;
}

export interface Move {
  readonly id: string;
  /** The index among all products. */
  readonly to: number;
}

/**
 * Returns the moves of a form, or its errors.
 * @param order the ids of all products
 * @param found the ids of the filtered list, in the same order
 */
export function readMoves(
  form: FormData,
  rows: readonly SortedRow[],
  order: readonly string[],
  found: readonly string[],
): readonly Move[] | Mistakes {
  const [, button = '', digits = ''] = /^(up|down)-(\d{1,2})$/.exec(sentText(form, 'do')) ?? [];
  if (button !== '') {
    const id = rows[Number(digits)]?.id ?? '';
    const neighbour = found[found.indexOf(id) + (button === 'up' ? -1 : 1)];
    return found.includes(id) && neighbour !== undefined ? [{ id, to: order.indexOf(neighbour) }] : [];
  }
  const mistakes = new Map<string, string>();
  const moves = rows.flatMap(({ id, at, to }, index): Move[] => {
    if (to === at || !order.includes(id)) return [];
    const position = /^\d{1,7}$/.test(to) ? Number(to) : 0;
    if (position >= 1 && position <= order.length) return [{ id, to: position - 1 }];
    mistakes.set(`to-${index}`, `Position must be a number from 1 to ${order.length}`);
    return [];
  });
  return mistakes.size > 0 ? mistakes : moves.toSorted((a, b) => a.to - b.to);
}

export const isMistakes = (moves: readonly Move[] | Mistakes): moves is Mistakes => moves instanceof Map;
