import * as v from 'valibot';
import { carrierName } from '#domain/carrier.ts';
import * as CURRENCY from '#domain/currency.ts';
import { indianMinute } from '#domain/date.ts';
import { type Paise, plainAmount } from '#domain/money.ts';
import { ADDRESS_FIELD_NAMES } from '#domain/shipping-address.ts';
import { logDownload } from '#server/admin/change.ts';
import { type Cell, csvFile, csvLine } from '#server/admin/csv.ts';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { STAFF_STATUSES, staffStatusOf } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { requireBatch } from '#server/fulfilment/batches/stored-batches.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { extrasFor, extrasOf, type OrderExtras } from '#server/orders/order-extras.ts';
import { itemsOf, type OrderItemRow, optionsText } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { ADDRESS_LABELS } from './correction-pages.tsx';
import {
  allOf,
  countOrders,
  DaySchema,
  inBatch,
  type ListedOrder,
  methodOf,
  type OrderFilter,
  ofStatus,
  ordersAfter,
  placedBetween,
  readStatus,
  TO_CONFIRM,
} from './listed-orders.ts';
import { idOf } from './order-page.tsx';

const STATUS_OPTIONS = [
  { value: '', label: 'All' },
  ...Object.values(STAFF_STATUSES).map(({ code, label }) => ({ value: String(code), label })),
];

const exportForm = defineForm(
  v.pipe(
    v.object({
      lines: v.picklist(['orders', 'items']),
      status: v.picklist(STATUS_OPTIONS.map(({ value }) => value)),
      from: DaySchema,
      to: DaySchema,
    }),
    v.forward(
      v.partialCheck(
        [['from'], ['to']],
        ({ from, to }) => from === '' || to === '' || from <= to,
        'must not be before the first day',
      ),
      ['to'],
    ),
  ),
  {
    lines: {
      label: 'A line for each',
      hint: 'For the accountant, each item.',
      control: 'select',
      options: [
        { value: 'orders', label: 'Order' },
        { value: 'items', label: 'Item' },
      ],
    },
    status: { label: 'Status', control: 'select', options: STATUS_OPTIONS },
    from: { label: 'From', control: 'date', isOptional: true },
    to: { label: 'To, including that day', control: 'date', isOptional: true },
  },
);

/** How many orders are in memory at a time. */
const ORDERS_PER_BATCH = 200;

interface Line {
  readonly order: ListedOrder;
  readonly items: readonly OrderItemRow[];
  readonly extras: OrderExtras | undefined;
  /** The item of the line, in a file with a line for each item. */
  readonly item: OrderItemRow;
}

type Columns = Readonly<Record<string, (line: Line) => Cell>>;

const rupees = (paise: Paise): Cell => ({ plain: plainAmount(paise) });

const inRupees = (name: string): string => `${name} in ${CURRENCY.word}`;

const PLACED: Columns = {
  // '2026-01-05 15:30', which spreadsheets read as a time.
  'Placed (India)': ({ order }) => ({ plain: indianMinute(order.createdAt).replace('T', ' ') }),
  Status: ({ order }) => (order.isToConfirm ? TO_CONFIRM : staffStatusOf(order.status).label),
};

const MONEY: Columns = {
  Payment: ({ order }) => MONEY_LABELS[order.money],
  'Payment method': ({ order }) => methodOf(order),
};

const EXTRAS: Columns = Object.fromEntries(
  extrasFor('accountant').map(({ name, label }) => [label.en, ({ extras }) => extras?.get(name) ?? '']),
);

/** What belongs to the whole order is in its first line, so that a column can be added up. */
const inFirstLine =
  (amount: (line: Line) => Paise) =>
  (line: Line): Cell =>
    line.item === line.items[0] ? rupees(amount(line)) : '';

const deliveryOf = ({ order }: Line): Paise => order.amounts.find(({ id }) => id === 'delivery')?.paise ?? 0;

/** The columns of a file with a line for each order, or for each item. To add one, add a line here. */
const COLUMNS: Readonly<Record<'orders' | 'items', Columns>> = {
  orders: {
    Number: ({ order }) => order.shownNumber,
    Order: ({ order }) => order.id,
    ...PLACED,
    ...Object.fromEntries(
      ADDRESS_FIELD_NAMES.map((field) => [ADDRESS_LABELS[field], ({ order }: Line) => order.address[field]]),
    ),
    Email: ({ order }) => order.email ?? '',
    Items: ({ items }) =>
      items
        .map((item) => [`${item.quantity} × ${item.title}`, optionsText(item)].filter(Boolean).join(', '))
        .join('; '),
    Pieces: ({ order }) => order.pieces,
    [inRupees('Total')]: ({ order }) => rupees(order.totalPaise),
    ...MONEY,
    'Tracking number': ({ order }) => order.tracking ?? '',
    Carrier: ({ order }) => carrierName(order.carrier),
    ...EXTRAS,
  },
  items: {
    Number: ({ order }) => order.shownNumber,
    ...PLACED,
    Title: ({ item }) => item.title,
    Size: ({ item }) => item.size ?? '',
    Colour: ({ item }) => item.color ?? '',
    Quantity: ({ item }) => item.quantity,
    [inRupees('Unit price')]: ({ item }) => rupees(item.unitPaise),
    [inRupees('Sum')]: ({ item }) => rupees(item.unitPaise * item.quantity),
    [inRupees('Delivery')]: inFirstLine(deliveryOf),
    [inRupees('Total of the order')]: inFirstLine(({ order }) => order.totalPaise),
    ...MONEY,
    [inRupees('Refunded')]: inFirstLine(({ order }) => order.returnedPaise),
    [ADDRESS_LABELS.state]: ({ order }) => order.address.state,
    [ADDRESS_LABELS.postalCode]: ({ order }) => order.address.postalCode,
    ...EXTRAS,
  },
};

/** Reads in batches, so that a large file neither fills the memory nor blocks other requests. */
async function* partsOf(
  { db }: Services,
  file: keyof typeof COLUMNS,
  filter: OrderFilter,
): AsyncGenerator<string> {
  const columns = Object.entries(COLUMNS[file]);
  yield csvLine(columns.map(([head]) => head));
  for (let last = 0; ; ) {
    const orders = await ordersAfter(db, filter, last, ORDERS_PER_BATCH);
    const numbers = orders.map(({ number }) => number);
    const [items, extras] = await Promise.all([itemsOf(db, numbers), extrasOf(db, numbers)]);
    const lines = orders.flatMap((order) => {
      const own = items.get(order.number) ?? [];
      const line = { order, items: own, extras: extras.get(order.number) };
      return own.slice(0, file === 'orders' ? 1 : own.length).map((item): Line => ({ ...line, item }));
    });
    yield lines.map((line) => csvLine(columns.map(([, cell]) => cell(line)))).join('');
    last = orders.at(-1)?.number ?? last;
    if (orders.length < ORDERS_PER_BATCH) return;
  }
}

const showExport = (context: AdminContext, state: FormState = {}) =>
  showForm(context, {
    title: 'Orders as CSV',
    intro: (
      <p>
        A file for Excel, LibreOffice or Google Sheets, the oldest order first. It holds names and addresses,
        so store it with care; the log shows who downloaded what. A text that a spreadsheet would take for a
        formula, a number or a date has an apostrophe in front, so that zeros and long numbers stay. In a file
        of items, what belongs to the whole order is in its first line.
      </p>
    ),
    fields: exportForm.fields,
    action: `${ORDERS}/export`,
    submit: 'Download',
    back: ORDERS,
    ...state,
  });

async function exportOrders(context: AdminContext, services: Services) {
  const parsed = parseForm(exportForm, context.get('form'));
  if (!parsed.isValid) return showExport(context, parsed);
  const { from, to, lines } = parsed.output;
  const status = readStatus(parsed.output.status);
  const filter = allOf(placedBetween(from, to), ...(status === undefined ? [] : [ofStatus(status)]));
  const label = status === undefined ? '' : staffStatusOf(status).label;
  const orders = await countOrders(services.db, filter);
  await logDownload(context, services, {
    target: ['orders', 'CSV'],
    to: { status: label || 'any', from: from || 'the first', to: to || 'the last', orders },
  });
  const name = [lines, label.toLowerCase(), from, to];
  return csvFile(name.filter(Boolean).join('-'), partsOf(services, lines, filter));
}

/** The orders of a batch. */
async function exportBatch(context: AdminContext, services: Services) {
  const { id } = await requireBatch(services.db, idOf(context));
  const lines = context.req.query('lines') === 'items' ? 'items' : 'orders';
  return csvFile(lines, partsOf(services, lines, inBatch(id)));
}

const access = 'exports.read';

export const EXPORT_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/export', access, handle: (context) => showExport(context) },
  { method: 'POST', path: '/orders/export', access, handle: exportOrders },
  { method: 'GET', path: '/orders/batches/:id/csv', access, handle: exportBatch },
];
