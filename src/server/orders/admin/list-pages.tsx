import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { STATUSES, statusOf } from '#domain/order-status.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS, orderPath, shortId } from '#server/admin/paths.ts';
import { mayOpen } from '#server/admin/roles.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, LinkButton, Table, Time } from '#server/admin/views/pieces.tsx';
import { plainTransitions, transitionRow } from '#server/orders/apply-transition.ts';
import { renderPaymentTasks } from '#server/payments/admin/payment-pages.tsx';
import type { Services } from '#server/services/services.ts';
import { readStatus, searchForm } from './forms.ts';
import {
  type Cursor,
  countByStatus,
  endOfDay,
  type ListedOrder,
  listOrders,
  ORDERS_PER_PAGE,
  type OrderFilter,
  type OrderPage,
  startOfDay,
} from './listed-orders.ts';

export function orderBadge(status: number): ReactNode {
  const { label, tone } = statusOf(status);
  return <span className={`badge status-${tone}`}>{label}</span>;
}

/** The filter links. A status is no personal data, so an address may contain it. */
export function renderStatuses(counts: ReadonlyMap<number, number>, open: number | undefined): ReactNode {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const link = (path: string, label: string, count: number, isOpen: boolean) => (
    <li key={path}>
      <a href={path} aria-current={isOpen ? 'page' : undefined}>
        {label} <b>{count}</b>
      </a>
    </li>
  );
  const links = Object.values(STATUSES).map(({ code, label }) =>
    link(`${ORDERS}?status=${code}`, label, counts.get(code) ?? 0, open === code),
  );
  return (
    <nav className="tabs" aria-label="Status">
      <ul>
        {link(ORDERS, 'All', all, open === undefined)}
        {links}
      </ul>
    </nav>
  );
}

/** Search texts may be personal data, so the form is posted and no address contains them. */
export const renderSearch = (typed: Typed = {}, mistakes?: Mistakes): ReactNode => (
  <form className="search" method="post" action={`${ORDERS}/search`} role="search" noValidate>
    <FormField name="text" field={searchForm.fields.text} typed={typed} mistakes={mistakes} />
    <FormField name="day" field={searchForm.fields.day} typed={typed} mistakes={mistakes} />
    <Button>Search</Button>
  </form>
);

const renderRow = ({ id, status, createdAt, address, pieces, totalPaise }: ListedOrder) => [
  <div className="pick">
    <label className="tick">
      <input type="checkbox" name="order" value={id} aria-label={`Tick ${shortId(id)}`} />
    </label>
    <a className="touch" href={orderPath(id)}>
      {shortId(id)}
    </a>{' '}
    {orderBadge(status)}
  </div>,
  <Time at={createdAt} />,
  <>
    {address.fullName}
    <br />
    {address.city} {address.postalCode}
  </>,
  <>
    {formatPaise(totalPaise)}
    <br />
    {pieces} {pieces === 1 ? 'piece' : 'pieces'}
  </>,
];

/**
 * Orders with checkboxes, and the actions for the ticked ones. Enter in a checkbox presses the first button, so the
 * first one changes nothing.
 */
export function renderOrders(caption: string, orders: readonly ListedOrder[], status?: number): ReactNode {
  const buttons = plainTransitions(status).map((transition) => (
    <Button key={transition} look="quiet" name="transition" value={transition}>
      {transitionRow(transition).button}
    </Button>
  ));
  const heads = ['Order', 'Placed', 'To', 'Total'];
  return (
    <PostForm className="orders" action={`${ORDERS}/several`} hidden={status === undefined ? {} : { status }}>
      <Table caption={caption} heads={heads} rows={orders.map(renderRow)} />
      <fieldset className="several">
        <legend>With the ticked orders</legend>
        <div className="row">
          <Button look="quiet" formAction={`${ORDERS}/slips`}>
            Packing slips
          </Button>
          {buttons}
        </div>
      </fieldset>
    </PostForm>
  );
}

const isNumber = (text: unknown): text is string => typeof text === 'string' && /^\d{1,15}$/.test(text);

function cursorOf({ older, newer }: Readonly<Record<string, string>>): Cursor {
  if (isNumber(older)) return { olderThan: Number(older) };
  return isNumber(newer) ? { newerThan: Number(newer) } : {};
}

function renderPages({ orders, hasNewer, hasOlder }: OrderPage, status: number | undefined): ReactNode {
  if (!hasNewer && !hasOlder) return '';
  const link = (name: 'newer' | 'older', number: number | undefined, text: string) => {
    const query = new URLSearchParams({
      ...(status === undefined ? {} : { status: String(status) }),
      [name]: String(number),
    });
    return (
      number !== undefined && (
        <LinkButton look="quiet" href={`${ORDERS}?${query}`}>
          {text}
        </LinkButton>
      )
    );
  };
  return (
    <nav className="pages" aria-label="Pages">
      {hasNewer && link('newer', orders.at(0)?.number, 'Newer')}
      {hasOlder && link('older', orders.at(-1)?.number, 'Older')}
    </nav>
  );
}

async function showList(context: AdminContext, services: Services) {
  const query = context.req.query();
  const status = readStatus(query.status);
  const cursor = cursorOf(query);
  const isFirstPage = Object.keys(cursor).length === 0;
  const filter = status === undefined ? {} : { status };
  const [counts, page, money] = await Promise.all([
    countByStatus(services.db),
    listOrders(services.db, filter, cursor, ORDERS_PER_PAGE),
    isFirstPage ? renderPaymentTasks(services) : '',
  ]);
  const list =
    page.orders.length === 0 ? (
      <p>There are no such orders{isFirstPage && ' yet'}.</p>
    ) : (
      renderOrders('Newest first', page.orders, status)
    );
  return showPage(context, {
    title: 'Orders',
    content: (
      <>
        {money}
        {renderSearch()}
        {renderStatuses(counts, status)}
        {list}
        {renderPages(page, status)}
        {mayOpen('exports', staffOf(context).role) && (
          <p>
            <a href={`${ORDERS}/export`}>Orders as CSV</a>
          </p>
        )}
      </>
    ),
  });
}

function showSearch(context: AdminContext, content: ReactNode, typed: Typed, mistakes?: Mistakes) {
  return showPage(context, {
    title: 'Orders found',
    content: (
      <>
        {renderSearch(typed, mistakes)}
        {content}
        <p>
          <a href={ORDERS}>All orders</a>
        </p>
      </>
    ),
    status: mistakes ? 422 : 200,
  });
}

async function search(context: AdminContext, services: Services) {
  const form = context.get('form');
  const parsed = parseForm(searchForm, form);
  if (!parsed.isValid) return showSearch(context, '', parsed.typed, parsed.mistakes);
  const { text, day } = parsed.values;
  if (text === '' && day === '') return context.redirect(ORDERS, 303);
  const filter: OrderFilter = { text, ...(day ? { from: startOfDay(day), until: endOfDay(day) } : {}) };
  const older = form.get('older');
  const cursor = isNumber(older) ? { olderThan: Number(older) } : {};
  const { orders, hasOlder } = await listOrders(services.db, filter, cursor, ORDERS_PER_PAGE);
  if (orders.length === 0) {
    return showSearch(context, <p role="status">No order was found.</p>, parsed.typed);
  }
  const last = orders.at(-1);
  const more = (
    <PostForm action={`${ORDERS}/search`} hidden={{ text, day, older: last?.number ?? 0 }}>
      <Button look="quiet">Older</Button>
    </PostForm>
  );
  return showSearch(
    context,
    <>
      {renderOrders('Newest first', orders)}
      {hasOlder && more}
    </>,
    parsed.typed,
  );
}

const access = 'orders';

export const LIST_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders', access, handle: showList },
  // Reloading a search after signing in again leads here.
  { method: 'GET', path: '/orders/search', access, handle: (context) => context.redirect(ORDERS, 303) },
  { method: 'POST', path: '/orders/search', access, handle: search },
];
