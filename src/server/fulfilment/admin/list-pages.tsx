import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { BOX, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  Lines,
  LinkButton,
  Pages,
  Row,
  StatusBadge,
  Table,
  Time,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import { TRANSITIONS, transitionsOf } from '#server/fulfilment/apply-transition.ts';
import { CASH } from '#server/payments/admin/cash-pages.tsx';
import { renderPaymentTasks } from '#server/payments/admin/payment-pages.tsx';
import type { Services } from '#server/services/services.ts';
import {
  countByStatus,
  countToConfirm,
  DaySchema,
  endOfDay,
  isMoney,
  type ListedOrder,
  listOrders,
  MONEY,
  MONEY_LABELS,
  moneyOf,
  type OrderFilter,
  readStatus,
  startOfDay,
  TO_CONFIRM,
} from './listed-orders.ts';

const searchForm = defineForm(v.object({ text: text(200), day: DaySchema }), {
  text: {
    label: 'Find',
    hint: 'Order number, name, phone, PIN code or email',
    control: 'search',
    autocomplete: 'off',
  },
  day: { label: 'Day', control: 'date', isOptional: true },
});

type Filter = Pick<OrderFilter, 'status' | 'money' | 'toConfirm'>;

/** A status is no personal data, so an address may contain it. @param before an order number */
function listPath({ status, money, toConfirm }: Filter, before?: number): string {
  const all = Object.entries(toConfirm ? { confirm: 'yes', money, before } : { status, money, before });
  const query = new URLSearchParams(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );
  return query.size === 0 ? ORDERS : `${ORDERS}?${query}`;
}

/** Links of which one is open. */
const FilterLinks = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <nav aria-label={name}>
    <ul className="my-2 flex list-none gap-1 overflow-x-auto p-0 *:[&>a]:flex *:[&>a]:min-h-11 *:[&>a]:items-center *:[&>a]:gap-2 *:[&>a]:whitespace-nowrap *:[&>a]:rounded-full *:[&>a]:px-3 *:[&>a]:text-ink *:[&>a]:no-underline [&_a[aria-current]]:bg-leaf-tint [&_a[aria-current]]:font-semibold">
      {children}
    </ul>
  </nav>
);

function renderFilters(counts: ReadonlyMap<number, number>, toConfirm: number, open: Filter): ReactNode {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const link = (filter: Filter, label: string, count?: number) => (
    <li key={label}>
      <a href={listPath(filter)} aria-current={listPath(filter) === listPath(open) ? 'page' : undefined}>
        {label} {count !== undefined && <b>{count}</b>}
      </a>
    </li>
  );
  return (
    <>
      <FilterLinks name="Status">
        {link({ money: open.money }, 'All', all)}
        {(toConfirm > 0 || open.toConfirm) &&
          link({ money: open.money, toConfirm: true }, TO_CONFIRM, toConfirm)}
        {Object.values(STAFF_STATUSES).map(({ code, label }) =>
          link(
            { money: open.money, status: code },
            label,
            (counts.get(code) ?? 0) - (code === STAFF_STATUSES.processing.code ? toConfirm : 0),
          ),
        )}
      </FilterLinks>
      <FilterLinks name="Payment">
        {link({ ...open, money: undefined }, 'Any payment')}
        {MONEY.map((money) => link({ ...open, money }, MONEY_LABELS[money]))}
      </FilterLinks>
    </>
  );
}

/** Search texts may be personal data, so the form is posted and no address contains them. */
const renderSearch = (state: FormState = {}): ReactNode => (
  <form
    className="mb-4 grid items-end gap-3 md:grid-cols-[3fr_1fr_auto]"
    method="post"
    action={`${ORDERS}/search`}
    role="search"
    noValidate
  >
    <FormField name="text" field={searchForm.fields.text} {...state} />
    <FormField name="day" field={searchForm.fields.day} {...state} />
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
      <TouchLink href={orderPath(id)}>{shownNumber}</TouchLink>{' '}
      {order.isToConfirm ? TO_CONFIRM : <StatusBadge status={status} />}
    </div>,
    <Time at={createdAt} />,
    <Lines of={[address.fullName, `${address.city} ${address.postalCode}`]} />,
    <Lines of={[formatPaise(totalPaise), plural(pieces, 'piece')]} />,
    <Lines of={[label, method]} />,
  ];
};

/**
 * Orders with checkboxes, and the actions for the ticked ones. Enter in a checkbox presses the first button, so the
 * first one changes nothing.
 */
function renderOrders(orders: readonly ListedOrder[], status?: number): ReactNode {
  const buttons = transitionsOf(status).several.map((transition) => (
    <Button
      key={transition}
      variant="quiet"
      formAction={`${ORDERS}/several`}
      name="transition"
      value={transition}
    >
      {transition === 'cancel' ? 'Cancel them' : TRANSITIONS[transition].button}
    </Button>
  ));
  const heads = ['Order', 'Placed', 'To', 'Total', 'Payment'];
  return (
    <PostForm action={`${ORDERS}/slips`} hidden={status === undefined ? {} : { status }}>
      <Table hasTitles caption="Newest first" heads={heads} rows={orders.map(renderRow)} />
      <fieldset className="mb-7">
        <legend>With the ticked orders</legend>
        <Row>
          <Button variant="quiet">Packing slips</Button>
          {buttons}
        </Row>
      </fieldset>
    </PostForm>
  );
}

/** Reads the number of the order before which a page begins. */
const readBefore = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

async function list(context: AdminContext, services: Services) {
  const query = context.req.query();
  const before = readBefore(query.before);
  const status = query.confirm === 'yes' ? undefined : readStatus(query.status);
  const filter = {
    status,
    money: isMoney(query.money) ? query.money : undefined,
    // What is to confirm is not to pack.
    toConfirm: query.confirm === 'yes' || (status === STAFF_STATUSES.processing.code ? false : undefined),
  };
  const [counts, toConfirm, { orders, last }, tasks] = await Promise.all([
    countByStatus(services.db),
    countToConfirm(services.db),
    listOrders(services.db, filter, before),
    before === undefined ? renderPaymentTasks(services) : '',
  ]);
  return showPage(context, {
    title: 'Orders',
    content: (
      <>
        {tasks}
        {renderSearch()}
        {renderFilters(counts, toConfirm, filter)}
        {orders.length === 0 ? <p>There are no such orders.</p> : renderOrders(orders, filter.status)}
        {(before ?? last) !== undefined && (
          <Pages>
            {before !== undefined && (
              <LinkButton variant="quiet" href={listPath(filter)}>
                Newest
              </LinkButton>
            )}
            {last !== undefined && (
              <LinkButton variant="quiet" href={listPath(filter, last)}>
                Older
              </LinkButton>
            )}
          </Pages>
        )}
        <Row>
          <LinkButton variant="quiet" href={CASH}>
            Cash to collect
          </LinkButton>
          <LinkButton variant="quiet" href={`${ORDERS}/export`}>
            Orders as CSV
          </LinkButton>
        </Row>
      </>
    ),
  });
}

async function search(context: AdminContext, services: Services) {
  const form = context.get('form');
  const parsed = parseForm(searchForm, form);
  const { text = '', day = '' } = parsed.isValid ? parsed.output : {};
  if (parsed.isValid && text === '' && day === '') return context.redirect(ORDERS, 303);
  const filter: OrderFilter = { text, ...(day ? { from: startOfDay(day), until: endOfDay(day) } : {}) };
  const { orders, last } = parsed.isValid
    ? await listOrders(services.db, filter, readBefore(form.get('before')))
    : { orders: [] };
  return showPage(context, {
    title: 'Orders found',
    content: (
      <>
        {renderSearch(parsed)}
        {parsed.isValid && orders.length === 0 && <p role="status">No order was found.</p>}
        {orders.length > 0 && renderOrders(orders)}
        {day !== '' && orders.length > 0 && (
          <PostForm action={`${ORDERS}/several`} hidden={{ day, transition: 'cancel' }}>
            <Button variant="quiet">Cancel all open orders of this day</Button>
          </PostForm>
        )}
        {last !== undefined && (
          <PostForm action={`${ORDERS}/search`} hidden={{ text, day, before: last }}>
            <Button variant="quiet">Older</Button>
          </PostForm>
        )}
        <p>
          <a href={ORDERS}>All orders</a>
        </p>
      </>
    ),
    status: parsed.isValid ? 200 : 422,
  });
}

const access = 'orders';

export const LIST_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders', access, handle: list },
  // Reloading a search after signing in again leads here.
  { method: 'GET', path: '/orders/search', access, handle: (context) => context.redirect(ORDERS, 303) },
  { method: 'POST', path: '/orders/search', access: 'orders.read', handle: search },
];
