import { sql } from 'kysely';
import type { ReactNode } from 'react';
import { addressLines } from '#domain/order.ts';
import { plural } from '#domain/text.ts';
import { staffStatusOf } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { batchPath, orderPath } from '#server/admin/paths.ts';
import { Script, sheetPath } from '#server/admin/views/assets.tsx';
import { Button, Lines, LinkButton, Time } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { q, sumOf } from '#server/db/query.ts';
import {
  allOf,
  countOrders,
  inBatch,
  type ListedOrder,
  type OrderFilter,
  ofIds,
  ordersAfter,
  readOrderNumber,
  thatEnded,
} from '#server/fulfilment/admin/listed-orders.ts';
import {
  doorText,
  Extras,
  idOf,
  requireOrder,
  servesCustomers,
} from '#server/fulfilment/admin/order-page.tsx';
import { htmlDocument } from '#server/http/documents.ts';
import { type Adjustment, adjustmentsOf, unreversed } from '#server/ledger/movements.ts';
import { extrasOf, shownExtras } from '#server/orders/order-extras.ts';
import { itemsOf, type OrderItemRow, optionsText, setPrinted } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { requireBatch } from './stored-batches.ts';

const CELL = 'border border-[#000] px-2 py-1.5 text-left align-top';

const TO_TICK = `${CELL} w-24 before:block before:size-5 before:border-2 before:border-[#000]`;

interface PrintView {
  readonly title: string;
  /** Where the link above the sheet leads. */
  readonly back: string;
  /** More links above the sheet. */
  readonly more?: ReactNode;
  readonly content: ReactNode;
}

/** A page without navigation, to print. */
const showPrint = async (context: AdminContext, { title, back, more, content }: PrintView) => {
  const sheet = await sheetPath();
  return context.html(
    htmlDocument(
      <html className="scheme-light print:text-[13px]" lang="en-IN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`${title} · Admin`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={sheet} />
          <Script name="print" />
        </head>
        <body className="mx-auto max-w-[148mm] bg-white p-4 text-[#000] leading-[1.4] [--color-focus:#0c3426] print:max-w-none print:p-0">
          <nav
            className="flex min-h-12 flex-wrap items-center gap-4 *:text-fixed-ink *:hover:bg-transparent print:hidden"
            aria-label="Admin"
          >
            <LinkButton href={back}>Back</LinkButton>
            <Button variant="quiet" id="print" hidden>
              Print
            </Button>
            {more}
          </nav>
          <main>{content}</main>
        </body>
      </html>,
    ),
  );
};

interface PrintTableProps {
  readonly pieces: number;
  /** The first column is for ticks, the second has the pieces. */
  readonly heads: readonly string[];
  /** The cells after the ticks. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A list of goods to tick off. */
const PrintTable = ({ pieces, heads, rows }: PrintTableProps) => (
  <table className="w-full border-collapse">
    <caption className="pb-1 text-left font-semibold">{plural(pieces, 'piece')}</caption>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} className={CELL} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        <tr className="break-inside-avoid" key={row}>
          <td className={TO_TICK} />
          {cells.map((cell, column) => (
            <td className={column === 0 ? `${CELL} w-20 font-bold` : CELL} key={column}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const piecesText = (
  items: readonly OrderItemRow[],
  { line, quantity }: Adjustment['lines'][number],
): string => {
  const item = items.find(({ position }) => String(position) === line);
  return `${quantity} × ${[item?.title, item && optionsText(item)].filter(Boolean).join(', ')}`;
};

/**
 * Each slip begins on a new sheet. It has no prices but the cash to collect: the recipient may not be the one who paid. A
 * slip says whether its order has ended. The slips of orders that end later are marked in the admin, because printing is
 * noted. Slips are shown even if the note cannot be stored.
 */
async function renderSlips(
  context: AdminContext,
  { db, clock, catalogue }: Services,
  found: readonly ListedOrder[],
): Promise<ReactNode> {
  const numbers = found.map(({ number }) => number);
  await db.write((transaction) => setPrinted(transaction, numbers, clock())).catch(() => undefined);
  const orders = await ordersAfter(db, ofIds(found.map(({ id }) => id)), 0, found.length);
  const [items, extras, adjustments] = await Promise.all([
    itemsOf(db, numbers),
    extrasOf(db, numbers),
    adjustmentsOf(db, ...numbers),
  ]);
  const lowered = unreversed(adjustments).filter(({ kind, lines }) => kind === 'lowered' && lines.length > 0);
  const { storeName } = await catalogue();
  return orders.map((order) => {
    const { number, shownNumber, address, createdAt, tracking } = order;
    const { label, hasShipped, needsRefund } = staffStatusOf(order.status);
    const own = items.get(number) ?? [];
    return (
      <article
        key={number}
        className="border-control border-b-2 border-dashed pt-4 pb-6 print:border-0 print:p-0 print:[&+&]:break-before-page"
      >
        <p className="m-0 text-caption">{storeName}</p>
        <h1 className="my-1 text-[2.25rem] tracking-normal">Order {shownNumber}</h1>
        <p className="m-0 text-caption">
          <Time at={createdAt} />
          {tracking && hasShipped && (
            <>
              <br />
              Tracking number: {tracking}
            </>
          )}
        </p>
        {needsRefund && <p className="mt-3 mb-0 font-bold text-title">{label}. Do not send it.</p>}
        <p className="mt-3 mb-0 font-bold text-title">{doorText(order, servesCustomers(context))}</p>
        <address className="my-4 border-2 border-[#000] px-4 py-3 text-title not-italic">
          <Lines of={[...addressLines(address), address.phone]} />
          <Extras of={shownExtras(extras.get(number), 'slip')} />
        </address>
        <PrintTable
          pieces={order.pieces}
          heads={['Packed', 'Pieces', 'Item']}
          rows={own.map((item) => [item.quantity, <Lines of={[item.title, optionsText(item)]} />])}
        />
        {lowered
          .filter(({ orderNumber }) => orderNumber === number)
          .map(({ id, lines, reason }) => (
            <p className="mt-3 mb-0 font-bold" key={id}>
              Not owed any more: {lines.map((line) => piecesText(own, line)).join('; ')}. {reason}
            </p>
          ))}
      </article>
    );
  });
}

async function showSlip(context: AdminContext, services: Services) {
  const order = await requireOrder(services.db, idOf(context));
  const content = await renderSlips(context, services, [order]);
  return showPrint(context, { title: 'Packing slip', back: orderPath(order.id), content });
}

/** As many as a browser prints at once without trouble. */
const SLIPS_PER_PAGE = 300;

/** The slips of a batch, from the order after the number that the address names. */
async function showSlips(context: AdminContext, services: Services) {
  const { id } = await requireBatch(services.db, idOf(context));
  const after = readOrderNumber(context.req.query('after')) ?? 0;
  const found = await ordersAfter(services.db, inBatch(id), after, SLIPS_PER_PAGE + 1);
  const orders = found.slice(0, SLIPS_PER_PAGE);
  return showPrint(context, {
    title: 'Packing slips',
    back: batchPath(id),
    more: (
      <>
        <span>{plural(orders.length, 'slip')}</span>
        {found.length > orders.length && (
          <LinkButton href={`${batchPath(id)}/slips?after=${orders.at(-1)?.number}`}>Next slips</LinkButton>
        )}
      </>
    ),
    content: await renderSlips(context, services, orders),
  });
}

/** The pieces of the orders by product, size and colour. Orders that have ended are not packed. */
const piecesOf = (db: Reader, filter: OrderFilter) =>
  db.rows(
    q
      .selectFrom('orderItems')
      .where(
        'orderNumber',
        'in',
        q.selectFrom('orders').select('number').where(filter).where(thatEnded(false)),
      )
      .select(['productId', 'title', 'size', 'color'])
      .select(({ fn }) => [
        sumOf(fn.sum('quantity')).as('pieces'),
        sql<number>`count(DISTINCT order_number)`.as('orders'),
      ])
      .groupBy(['productId', 'title', 'size', 'color'])
      .orderBy('title')
      .orderBy('productId')
      // The databases sort NULL in different places.
      .orderBy(sql`coalesce(size, '')`)
      .orderBy(sql`coalesce(color, '')`),
  );

async function showPicks(context: AdminContext, services: Services) {
  const { id, createdAt } = await requireBatch(services.db, idOf(context));
  const [rows, count, ended] = await Promise.all([
    piecesOf(services.db, inBatch(id)),
    countOrders(services.db, inBatch(id)),
    countOrders(services.db, allOf(inBatch(id), thatEnded(true))),
  ]);
  return showPrint(context, {
    title: 'Pick list',
    back: batchPath(id),
    content: (
      <>
        <h1 className="my-1 text-[2.25rem] tracking-normal">Pick list</h1>
        <p className="mt-0">
          {plural(count - ended, 'order')} of <Time at={createdAt} />
          {ended > 0 && `. Without ${plural(ended, 'order')} that ended since.`}
        </p>
        <PrintTable
          pieces={rows.reduce((sum, row) => sum + row.pieces, 0)}
          heads={['Picked', 'Pieces', 'Item', 'In orders']}
          rows={rows.map((row) => [row.pieces, <Lines of={[row.title, optionsText(row)]} />, row.orders])}
        />
      </>
    ),
  });
}

const access = 'orders';

export const PRINT_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/:id/slip', access, handle: showSlip },
  { method: 'GET', path: '/orders/batches/:id/slips', access, handle: showSlips },
  { method: 'GET', path: '/orders/batches/:id/picks', access, handle: showPicks },
];
