import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { csvFile, csvLine } from '#server/admin/csv.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { LinkButton } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { extrasFor, extrasOf, type OrderExtras } from '#server/payments/order-extras.ts';
import { statusOf } from '#server/services/order-status.ts';
import type { Services } from '#server/services/services.ts';
import { ADDRESS_LABELS } from './correction-pages.tsx';
import { exportForm, readStatus } from './forms.ts';
import {
  endOfDay,
  type ListedOrder,
  type OrderFilter,
  ordersAfter,
  orderTotals,
  startOfDay,
} from './listed-orders.ts';
import { itemsOf, type OrderedItem } from './order-items.ts';

/** How many orders are in memory at a time. */
const ORDERS_PER_BATCH = 200;

/** '2026-01-05 15:30', which spreadsheets read as a time. */
const IN_INDIA = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Asia/Kolkata',
});

/** The columns of the file. To add one, add a line here. */
export const EXPORT_COLUMNS: Readonly<
  Record<string, (order: ListedOrder, items: readonly OrderedItem[], extras: OrderExtras) => string | number>
> = {
  Number: ({ shownNumber }) => shownNumber,
  Order: ({ id }) => id,
  'Placed (India)': ({ createdAt }) => IN_INDIA.format(createdAt),
  Status: ({ status }) => statusOf(status).label,
  ...Object.fromEntries(
    SHIPPING_FIELDS.map((field) => [ADDRESS_LABELS[field], ({ address }: ListedOrder) => address[field]]),
  ),
  Email: ({ email }) => email ?? '',
  Items: (_order, items) =>
    items.map(({ quantity, title, options }) => [`${quantity} × ${title}`, ...options].join(', ')).join('; '),
  Pieces: ({ pieces }) => pieces,
  [`Total in ${CURRENCY.word}`]: ({ totalPaise }) => plainAmount(totalPaise),
  'Tracking number': ({ tracking }) => tracking ?? '',
  ...Object.fromEntries(
    extrasFor('accountant').map(({ name, label }) => [
      label.en,
      (_order, _items, extras) => extras.get(name) ?? '',
    ]),
  ),
};

const NO_EXTRAS: OrderExtras = new Map();

const lineOf = (order: ListedOrder, items: readonly OrderedItem[], extras = NO_EXTRAS): string =>
  csvLine(Object.values(EXPORT_COLUMNS).map((column) => column(order, items, extras)));

/** Reads in batches, so that a large file neither fills the memory nor blocks other requests. */
async function* partsOf(db: Reader, filter: OrderFilter): AsyncGenerator<string> {
  yield csvLine(Object.keys(EXPORT_COLUMNS));
  for (let last = 0; ; ) {
    const orders = await ordersAfter(db, filter, last, ORDERS_PER_BATCH);
    const numbers = orders.map(({ number }) => number);
    const [items, extras] = await Promise.all([itemsOf(db, numbers), extrasOf(db, numbers)]);
    yield orders
      .map((order) => lineOf(order, items.get(order.number) ?? [], extras.get(order.number)))
      .join('');
    last = orders.at(-1)?.number ?? last;
    if (orders.length < ORDERS_PER_BATCH) return;
  }
}

function showExport(context: AdminContext, typed: Typed = {}, mistakes?: Mistakes) {
  const form = {
    fields: exportForm.fields,
    action: `${ORDERS}/export`,
    submit: 'Download',
    more: (
      <LinkButton look="quiet" href={ORDERS}>
        Back to the orders
      </LinkButton>
    ),
    typed,
    mistakes,
  };
  return showPage(context, {
    title: 'Orders as CSV',
    content: (
      <>
        <p>
          A file for Excel, LibreOffice or Google Sheets: a line for each order, the oldest first. It holds
          names and addresses, so store it with care; the log shows who downloaded what. A text that a
          spreadsheet would take for a formula has an apostrophe in front.
        </p>
        <Form {...form} />
      </>
    ),
    status: mistakes ? 422 : 200,
  });
}

/** Logs the download before the first byte is sent. */
async function exportOrders(context: AdminContext, services: Services) {
  const parsed = parseForm(exportForm, context.get('form'));
  if (!parsed.isValid) return showExport(context, parsed.typed, parsed.mistakes);
  const { from, to } = parsed.values;
  const status = readStatus(parsed.values.status);
  const filter: OrderFilter = {
    ...(status === undefined ? {} : { status }),
    ...(from ? { from: startOfDay(from) } : {}),
    ...(to ? { until: endOfDay(to) } : {}),
  };
  const label = status === undefined ? '' : statusOf(status).label;
  const { count: orders } = await orderTotals(services.db, filter);
  const { id, email } = staffOf(context);
  await services.db.write((transaction) =>
    recordChange(transaction, { id, who: email }, services.clock(), {
      action: 'downloaded',
      target: ['orders', 'CSV'],
      to: { status: label || 'any', from: from || 'the first', to: to || 'the last', orders },
    }),
  );
  const name = ['orders', label.toLowerCase(), from, to];
  return csvFile(name.filter(Boolean).join('-'), partsOf(services.db, filter));
}

const access = 'exports.read';

export const EXPORT_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/orders/export',
    access,
    handle: (context) => showExport(context),
  },
  { method: 'POST', path: '/orders/export', access, handle: exportOrders },
];
