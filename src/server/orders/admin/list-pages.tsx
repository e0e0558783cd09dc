import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { BOX, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  LinkButton,
  Pages,
  Row,
  StatusBadge,
  Table,
  Time,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import { plainTransitions, transitionRow } from '#server/orders/apply-transition.ts';
import { CASH } from '#server/payments/admin/cash-pages.tsx';
import { renderPaymentTasks } from '#server/payments/admin/payment-pages.tsx';
import { STATUSES } from '#server/services/order-status.ts';
import type { Services } from '#server/services/services.ts';
import { readStatus, searchForm } from './forms.ts';
import {
  type Cursor,
  countByStatus,
  endOfDay,
  isMoney,
  type ListedOrder,
  listOrders,
  MONEY,
  type Money,
  moneyOf,
  ORDERS_PER_PAGE,
  type OrderFilter,
  type OrderPage,
  startOfDay,
} from './listed-orders.ts';

interface Filter {
  readonly status?: number;
  readonly money?: Money;
}

/** A status is no personal data, so an address may contain it. */
const listPath = ({ status, money }: Filter, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status: String(status) }),
    ...(money ? { money } : {}),
    ...more,
  }).toString();
  return query === '' ? ORDERS : `${ORDERS}?${query}`;
};

/** Links of which one is open. */
const FilterLinks = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <nav aria-label={name}>
    <ul className="my-2 flex list-none gap-1 overflow-x-auto p-0 *:[&>a]:flex *:[&>a]:min-h-11 *:[&>a]:items-center *:[&>a]:gap-2 *:[&>a]:whitespace-nowrap *:[&>a]:rounded-full *:[&>a]:px-3 *:[&>a]:text-ink *:[&>a]:no-underline [&_a[aria-current]]:bg-leaf-tint [&_a[aria-current]]:font-semibold">
      {children}
    </ul>
  </nav>
);

function renderFilters(counts: ReadonlyMap<number, number>, open: Filter): ReactNode {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const link = (filter: Filter, label: string, count?: number) => (
    <li key={label}>
      <a
        href={listPath(filter)}
        aria-current={filter.status === open.status && filter.money === open.money ? 'page' : undefined}
      >
        {label} {count !== undefined && <b>{count}</b>}
      </a>
    </li>
  );
  const { status, money, ...rest } = open;
  const ofMoney = money ? { money } : {};
  const ofStatus = status === undefined ? {} : { status };
  return (
    <>
      <FilterLinks name="Status">
        {link({ ...rest, ...ofMoney }, 'All', all)}
        {Object.values(STATUSES).map(({ code, label }) =>
          link({ ...ofMoney, status: code }, label, counts.get(code) ?? 0),
        )}
      </FilterLinks>
      <FilterLinks name="Payment">
        {link(ofStatus, 'Any payment')}
        {Object.entries(MONEY).map(
          ([name, { label }]) => isMoney(name) && link({ ...ofStatus, money: name }, label),
        )}
      </FilterLinks>
    </>
  );
}

/** Search texts may be personal data, so the form is posted and no address contains them. */
export const renderSearch = (typed: Typed = {}, mistakes?: Mistakes): ReactNode => (
  <form
    className="mb-4 grid items-end gap-3 md:grid-cols-[3fr_1fr_auto]"
    method="post"
    action={`${ORDERS}/search`}
    role="search"
    noValidate
  >
    <FormField name="text" field={searchForm.fields.text} typed={typed} mistakes={mistakes} />
    <FormField name="day" field={searchForm.fields.day} typed={typed} mistakes={mistakes} />
    <Button>Search</Button>
  </form>
);

const renderRow = (order: ListedOrder) => {
  const { id, shownNumber, status, createdAt, address, pieces, totalPaise } = order;
  const { label, method } = moneyOf(order);
  return [
    <div className="flex flex-wrap items-center gap-x-3">
      <label className="inline-flex min-h-11 min-w-11 items-center align-middle">
        <input className={BOX} type="checkbox" name="order" value={id} aria-label={`Tick ${shownNumber}`} />
      </label>
      <TouchLink href={orderPath(id)}>{shownNumber}</TouchLink> <StatusBadge status={status} />
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
    <>
      {label}
      <br />
      {method}
    </>,
  ];
};

/**
 * Orders with checkboxes, and the actions for the ticked ones. Enter in a checkbox presses the first button, so the
 * first one changes nothing.
 */
export function renderOrders(caption: string, orders: readonly ListedOrder[], status?: number): ReactNode {
  const buttons = plainTransitions(status).map((transition) => (
    <Button
      key={transition}
      look="quiet"
      formAction={`${ORDERS}/several`}
      name="transition"
      value={transition}
    >
      {transitionRow(transition).button}
    </Button>
  ));
  const heads = ['Order', 'Placed', 'To', 'Total', 'Payment'];
  return (
    <PostForm action={`${ORDERS}/slips`} hidden={status === undefined ? {} : { status }}>
      <Table hasTitles caption={caption} heads={heads} rows={orders.map(renderRow)} />
      <fieldset className="mb-7">
        <legend>With the ticked orders</legend>
        <Row>
          <Button look="quiet">Packing slips</Button>
          {buttons}
        </Row>
      </fieldset>
    </PostForm>
  );
}

const isNumber = (text: unknown): text is string => typeof text === 'string' && /^\d{1,15}$/.test(text);

function cursorOf({ older, newer }: Readonly<Record<string, string>>): Cursor {
  if (isNumber(older)) return { olderThan: Number(older) };
  return isNumber(newer) ? { newerThan: Number(newer) } : {};
}

function renderPages({ orders, hasNewer, hasOlder }: OrderPage, filter: Filter): ReactNode {
  if (!hasNewer && !hasOlder) return '';
  const link = (name: 'newer' | 'older', number: number | undefined, text: string) =>
    number !== undefined && (
      <LinkButton look="quiet" href={listPath(filter, { [name]: String(number) })}>
        {text}
      </LinkButton>
    );
  return (
    <Pages>
      {hasNewer && link('newer', orders.at(0)?.number, 'Newer')}
      {hasOlder && link('older', orders.at(-1)?.number, 'Older')}
    </Pages>
  );
}

async function showList(context: AdminContext, services: Services) {
  const query = context.req.query();
  const status = readStatus(query.status);
  const cursor = cursorOf(query);
  const isFirstPage = Object.keys(cursor).length === 0;
  const { money: wanted } = query;
  const filter: Filter = {
    ...(status === undefined ? {} : { status }),
    ...(isMoney(wanted) ? { money: wanted } : {}),
  };
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
        {renderFilters(counts, filter)}
        {list}
        {renderPages(page, filter)}
        <Allowed to={CASH}>
          <p>
            <a href={CASH}>Cash to collect</a>
          </p>
        </Allowed>
        <Allowed to={`${ORDERS}/export`}>
          <p>
            <a href={`${ORDERS}/export`}>Orders as CSV</a>
          </p>
        </Allowed>
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
  { method: 'POST', path: '/orders/search', access: 'orders.read', handle: search },
];
