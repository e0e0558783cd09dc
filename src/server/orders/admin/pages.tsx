import { Fragment, type ReactNode } from 'react';
import { addressLines } from '#domain/order.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath, shortId } from '#server/admin/paths.ts';
import { assetPath } from '#server/admin/views/assets.ts';
import { Button, Time } from '#server/admin/views/pieces.tsx';
import { htmlDocument } from '#server/http/html-document.ts';
import { Refusal } from '#server/http/refusal.ts';
import { RETURN_PAGES } from '#server/orders/returns/return-pages.tsx';
import { PAYMENT_PAGES } from '#server/payments/admin/payment-pages.tsx';
import type { Services } from '#server/services/services.ts';
import { EXPORT_PAGES } from './export-pages.tsx';
import { LIST_PAGES } from './list-pages.tsx';
import { type ListedOrder, ORDERS_PER_PAGE, ordersById } from './listed-orders.ts';
import { itemsOf, type OrderedItem } from './order-items.ts';
import { ORDER_PAGE, requireOrder } from './order-page.tsx';
import { TRANSITION_PAGES } from './transition-pages.tsx';

const renderItem = ({ quantity, title, options }: OrderedItem): ReactNode => (
  <tr key={title + options.join()}>
    <td className="box" />
    <td className="pieces">{quantity}</td>
    <td>
      {title}
      {options.map((option) => (
        <Fragment key={option}>
          <br />
          {option}
        </Fragment>
      ))}
    </td>
  </tr>
);

/** Has no prices: the recipient may not be the one who paid. */
function renderSlip(storeName: string, order: ListedOrder, items: readonly OrderedItem[]): ReactNode {
  const { id, address, createdAt, pieces, tracking, courierNote } = order;
  return (
    <article key={id} className="slip">
      <p className="store">{storeName}</p>
      <h1>Order {shortId(id)}</h1>
      <p className="number">
        {id}
        <br />
        <Time at={createdAt} />
        {tracking && (
          <>
            <br />
            Tracking number: {tracking}
          </>
        )}
      </p>
      <address>
        {addressLines(address).map((line) => (
          <Fragment key={line}>
            {line}
            <br />
          </Fragment>
        ))}
        {address.phone}
        {courierNote && (
          <>
            <br />
            <b>Note to the courier:</b> {courierNote}
          </>
        )}
      </address>
      <table>
        <caption>
          {pieces} {pieces === 1 ? 'piece' : 'pieces'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Packed</th>
            <th scope="col">Pieces</th>
            <th scope="col">Item</th>
          </tr>
        </thead>
        <tbody>{items.map(renderItem)}</tbody>
      </table>
    </article>
  );
}

/** A page without navigation. Each slip begins on a new sheet. */
async function showSlips(
  context: AdminContext,
  services: Services,
  back: string,
  orders: readonly ListedOrder[],
) {
  const items = await itemsOf(
    services.db,
    orders.map(({ number }) => number),
  );
  const { storeName } = await services.catalogue();
  return context.html(
    htmlDocument(
      <html lang="en-IN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`Packing ${orders.length === 1 ? 'slip' : 'slips'} · Admin`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={assetPath('slip.css')} />
          <script type="module" src={assetPath('print.js')} />
        </head>
        <body>
          <nav aria-label="Admin">
            <a href={back}>Back</a>{' '}
            <Button id="print" hidden>
              Print
            </Button>
          </nav>
          <main>{orders.map((order) => renderSlip(storeName, order, items.get(order.number) ?? []))}</main>
        </body>
      </html>,
    ),
  );
}

async function showOne(context: AdminContext, services: Services) {
  const order = await requireOrder(context, services);
  return showSlips(context, services, orderPath(order.id), [order]);
}

async function showSeveral(context: AdminContext, services: Services) {
  const ids = [...new Set(context.get('form').getAll('order').map(String))];
  if (ids.length > ORDERS_PER_PAGE) throw new Refusal(422, `Tick at most ${ORDERS_PER_PAGE} orders.`);
  const orders = await ordersById(services.db, ids);
  if (orders.length === 0) throw new Refusal(422, 'No order was ticked, so there is nothing to print.');
  return showSlips(context, services, ORDERS, orders);
}

const access = 'orders';

export const SLIP_PAGES: readonly AdminPage[] = [
  { method: 'POST', path: '/orders/slips', access, handle: showSeveral },
  { method: 'GET', path: '/orders/:id/slip', access, handle: showOne },
];

/** The first matching path wins, so the page of a single order comes last. */
export const ORDER_PAGES: readonly AdminPage[] = [
  ...LIST_PAGES,
  ...PAYMENT_PAGES,
  ...EXPORT_PAGES,
  ...SLIP_PAGES,
  ...RETURN_PAGES,
  ...TRANSITION_PAGES,
  ORDER_PAGE,
];
