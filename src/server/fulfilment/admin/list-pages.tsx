import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { BOX, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { BATCHES, NEW_ORDER, ORDERS, orderPath, TRACKING_FILE } from '#server/admin/paths.ts';
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
import { BatchButtons } from '#server/fulfilment/batches/actions.tsx';
import { CASH } from '#server/ledger/admin/cash-pages.tsx';
import { MONEY_FILE } from '#server/ledger/admin/money-export.tsx';
import { MONEY_LABELS, MONEY_NAMES } from '#server/ledger/labels.ts';
import { renderPaymentTasks } from '#server/payments/admin/money-section.tsx';
import type { Services } from '#server/services/services.ts';
import {
  countByStatus,
  countOrders,
  DaySchema,
  IS_TO_CONFIRM,
  isToUnpack,
  type ListedOrder,
  listOrders,
  methodOf,
  readOrderNumber,
  readStatus,
  TO_CONFIRM,
  TO_UNPACK,
} from './listed-orders.ts';
import { doorText, requestedFilter, servesCustomers } from './order-page.tsx';

const searchForm = defineForm(v.object({ text: text(200), day: DaySchema }), {
  text: {
    label: 'Find',
    hint: 'Order number, name, phone, PIN code or email; the number of a payment, a refund or a parcel, or a UTR',
    control: 'search',
    autocomplete: 'off',
  },
  day: { label: 'Day', control: 'date', isOptional: true },
});

/** The values of a filter, as an address or a form has them. */
type Values = Readonly<Record<string, string | number | undefined>>;

/** The list of a filter. Searches are posted, so that no address has personal data. */
function listPath(values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, `${value}`]));
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

function renderFilters(
  counts: ReadonlyMap<number, number>,
  toConfirm: number,
  open: Values,
  seesAll: boolean,
): ReactNode {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const link = (filter: Values, label: string, count?: number) => (
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
        {(toConfirm > 0 || open.confirm) &&
          link({ confirm: 'yes', money: open.money }, TO_CONFIRM, toConfirm)}
        {Object.values(STAFF_STATUSES).map(({ code, label }) =>
          link(
            { status: code, money: open.money },
            label,
            (counts.get(code) ?? 0) - (code === STAFF_STATUSES.processing.code ? toConfirm : 0),
          ),
        )}
      </FilterLinks>
      {seesAll && (
        <FilterLinks name="Payment">
          {link({ ...open, money: undefined }, 'Any payment')}
          {MONEY_NAMES.map((money) => link({ ...open, money }, MONEY_LABELS[money]))}
        </FilterLinks>
      )}
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

const renderRow = (order: ListedOrder, seesAll: boolean) => {
  const { id, shownNumber, status, createdAt, address, pieces, totalPaise } = order;
  return [
    <div className="flex flex-wrap items-center gap-x-3">
      <label className="inline-flex min-h-11 min-w-11 items-center align-middle">
        <input className={BOX} type="checkbox" name="order" value={id} aria-label={`Tick ${shownNumber}`} />
      </label>
      <TouchLink href={orderPath(id)}>{shownNumber}</TouchLink>{' '}
      {order.isToConfirm ? TO_CONFIRM : <StatusBadge status={status} />}
      {isToUnpack(order) && <b>{TO_UNPACK}</b>}
    </div>,
    <Time at={createdAt} />,
    <Lines of={[address.fullName, `${address.city} ${address.postalCode}`]} />,
    <Lines of={[seesAll ? formatPaise(totalPaise) : '', plural(pieces, 'piece')]} />,
    <Lines of={seesAll ? [MONEY_LABELS[order.money], methodOf(order)] : [doorText(order, false)]} />,
  ];
};

interface Selection {
  readonly orders: readonly ListedOrder[];
  readonly values: Readonly<Record<string, string>>;
  /** How many orders match the filter. */
  readonly count: number;
  /** Whether amounts are shown. */
  readonly seesAll: boolean;
}

const Which = ({ value, label, isChosen = false }: { value: string; label: string; isChosen?: boolean }) => (
  <label className="inline-flex min-h-11 items-center gap-3 font-normal">
    <input className={BOX} type="radio" name="all" value={value} defaultChecked={isChosen} />
    {label}
  </label>
);

/** Orders with checkboxes, and the actions for the ticked ones or all that match. */
const renderOrders = ({ orders, values, count, seesAll }: Selection): ReactNode => (
  <PostForm action={`${BATCHES}/slips`} hidden={values}>
    <Table
      hasTitles
      caption="Newest first"
      heads={['Order', 'Placed', 'To', seesAll ? 'Total' : 'Pieces', seesAll ? 'Payment' : 'At the door']}
      rows={orders.map((order) => renderRow(order, seesAll))}
    />
    <fieldset>
      <legend>Which orders</legend>
      <Row>
        <Which value="" label="The ticked ones" isChosen />
        <Which value="yes" label={count === 1 ? 'The one that matches' : `All ${count} that match`} />
      </Row>
    </fieldset>
    <BatchButtons legend="What to do with them" status={readStatus(values.status)} />
  </PostForm>
);

async function list(context: AdminContext, services: Services) {
  const before = readOrderNumber(context.req.query('before'));
  const { filter, values } = requestedFilter(context, (name) => context.req.query(name));
  const seesAll = servesCustomers(context);
  const [counts, toConfirm, count, { orders, last }, tasks] = await Promise.all([
    countByStatus(services.db),
    countOrders(services.db, IS_TO_CONFIRM),
    countOrders(services.db, filter),
    listOrders(services.db, filter, before),
    before === undefined && seesAll ? renderPaymentTasks(services) : '',
  ]);
  return showPage(context, {
    title: 'Orders',
    content: (
      <>
        {tasks}
        <p>
          <LinkButton isMain href={NEW_ORDER}>
            New order
          </LinkButton>
        </p>
        {renderSearch()}
        {renderFilters(counts, toConfirm, values, seesAll)}
        {orders.length === 0 ? (
          <p>There are no such orders.</p>
        ) : (
          renderOrders({ orders, values, count, seesAll })
        )}
        {(before ?? last) !== undefined && (
          <Pages>
            {before !== undefined && <LinkButton href={listPath(values)}>Newest</LinkButton>}
            {last !== undefined && (
              <LinkButton href={listPath({ ...values, before: last })}>Older</LinkButton>
            )}
          </Pages>
        )}
        <Row>
          <LinkButton href={CASH}>Cash to collect</LinkButton>
          <LinkButton href={`${ORDERS}/export`}>Orders as CSV</LinkButton>
          <LinkButton href={MONEY_FILE}>Money as CSV</LinkButton>
          <LinkButton href={TRACKING_FILE}>Tracking numbers by CSV</LinkButton>
          <LinkButton href={BATCHES}>Bulk actions</LinkButton>
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
  const { filter, values } = requestedFilter(context, (name) => form.get(name));
  const [{ orders, last }, count] = parsed.isValid
    ? await Promise.all([
        listOrders(services.db, filter, readOrderNumber(form.get('before'))),
        countOrders(services.db, filter),
      ])
    : [{ orders: [] }, 0];
  return showPage(context, {
    title: 'Orders found',
    content: (
      <>
        {renderSearch(parsed)}
        {parsed.isValid && orders.length === 0 && <p role="status">No order was found.</p>}
        {orders.length > 0 && renderOrders({ orders, values, count, seesAll: servesCustomers(context) })}
        {day !== '' && orders.length > 0 && (
          <PostForm action={`${BATCHES}/cancel`} hidden={{ day, open: 'yes', all: 'yes' }}>
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
