import { html } from 'hono/html';
import { addressLines } from '#domain/order.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath, shortId } from '#server/admin/paths.ts';
import { assetPath } from '#server/admin/views/assets.ts';
import type { Html } from '#server/admin/views/html.ts';
import { time } from '#server/admin/views/pieces.ts';
import { Refusal } from '#server/http/refusal.ts';
import { RETURN_PAGES } from '#server/orders/returns/return-pages.ts';
import { PAYMENT_PAGES } from '#server/payments/admin/payment-pages.ts';
import type { Services } from '#server/services/services.ts';
import { EXPORT_PAGES } from './export-pages.ts';
import { LIST_PAGES } from './list-pages.ts';
import { type ListedOrder, ORDERS_PER_PAGE, ordersById } from './listed-orders.ts';
import { itemsOf, type OrderedItem } from './order-items.ts';
import { ORDER_PAGE, requireOrder } from './order-page.ts';
import { TRANSITION_PAGES } from './transition-pages.ts';

const renderItem = ({ quantity, title, options }: OrderedItem): Html =>
  html`<tr><td class="box"></td><td class="pieces">${quantity}</td><td>${title}${options.map((option) => html`<br>${option}`)}</td></tr>`;

/** Has no prices: the recipient may not be the one who paid. */
function renderSlip(storeName: string, order: ListedOrder, items: readonly OrderedItem[]): Html {
  const { id, address, createdAt, pieces, tracking, courierNote } = order;
  return html`<article class="slip"><p class="store">${storeName}</p><h1>Order ${shortId(id)}</h1>
<p class="number">${id}<br>${time(createdAt)}${tracking ? html`<br>Tracking number: ${tracking}` : ''}</p>
<address>${addressLines(address).map((line) => html`${line}<br>`)}${address.phone}${courierNote ? html`<br><b>Note to the courier:</b> ${courierNote}` : ''}</address>
<table><caption>${pieces} ${pieces === 1 ? 'piece' : 'pieces'}</caption>
<thead><tr><th scope="col">Packed</th><th scope="col">Pieces</th><th scope="col">Item</th></tr></thead>
<tbody>${items.map(renderItem)}</tbody></table></article>`;
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
  return context.html(html`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Packing ${orders.length === 1 ? 'slip' : 'slips'} · Admin</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('slip.css')}">
<script type="module" src="${assetPath('print.js')}"></script>
</head>
<body>
<nav aria-label="Admin"><a href="${back}">Back</a> <button id="print" hidden>Print</button></nav>
<main>
${orders.map((order) => renderSlip(storeName, order, items.get(order.number) ?? []))}
</main>
</body>
</html>
`);
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
