import { html } from 'hono/html';
import { formatPaise } from '#domain/money.ts';
import { STATUSES, statusOf } from '#domain/order-status.ts';
import { drawField, hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes, Typed } from '#scripts/api/office/forms/field.ts';
import { ORDERS, orderPath, shortId } from '#scripts/api/office/paths.ts';
import type { Html } from '#scripts/api/office/views/html.ts';
import { table, time } from '#scripts/api/office/views/pieces.ts';
import { moveRow, plainMoves } from '#scripts/api/orders/moves.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { searchForm } from './forms.ts';
import type { ListedOrder } from './listed-orders.ts';

/** A status of an order, as the shop shows it. */
export function orderBadge(status: number): Html {
  const { label, tone } = statusOf(status);
  return html`<span class="badge status-${tone}">${label}</span>`;
}

/** The links by status. A status says nothing about a person, so addresses may hold it. */
export function drawStatuses(counts: ReadonlyMap<number, number>, open: number | undefined): Html {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const link = (path: string, label: string, count: number, isOpen: boolean) =>
    html`<li><a href="${path}"${isOpen ? html` aria-current="page"` : ''}>${label} <b>${count}</b></a></li>`;
  const links = Object.values(STATUSES).map(({ wire, label }) =>
    link(`${ORDERS}?status=${wire}`, label, counts.get(wire) ?? 0, open === wire),
  );
  return html`<nav class="tabs" aria-label="Status"><ul>${link(ORDERS, 'All', all, open === undefined)}${links}</ul></nav>`;
}

/** What is searched for may name a person, so it is posted, and no address holds it. */
export const drawSearch = (typed: Typed = {}, mistakes?: Mistakes): Html =>
  html`<form class="search" method="post" action="${ORDERS}/search" role="search" novalidate>
${drawField('text', searchForm.fields.text, typed, mistakes)}
${drawField('day', searchForm.fields.day, typed, mistakes)}<button>Search</button></form>`;

const drawRow = ({ id, status, createdAt, address, pieces, totalPaise }: ListedOrder) => [
  html`<div class="pick"><label class="tick"><input type="checkbox" name="order" value="${id}" aria-label="Tick ${shortId(id)}"></label>
<a class="touch" href="${orderPath(id)}">${shortId(id)}</a> ${orderBadge(status)}</div>`,
  time(createdAt),
  html`${address.fullName}<br>${address.city} ${address.postalCode}`,
  html`${formatPaise(totalPaise)}<br>${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`,
];

/**
 * Orders with boxes to tick, and what can be done with those that are ticked. Enter in a box presses the first button,
 * so that is the one that changes nothing.
 */
export function drawOrders(
  shop: Shop,
  caption: string,
  orders: readonly ListedOrder[],
  status?: number,
): Html {
  const buttons = plainMoves(status).map(
    (move) => html`<button class="quiet" name="move" value="${move}">${moveRow(move).button}</button>`,
  );
  const heads = ['Order', 'Placed', 'To', 'Total'];
  return html`<form class="orders" method="post" action="${ORDERS}/several">
${hiddenInputs(shop, status === undefined ? {} : { status })}${table(caption, heads, orders.map(drawRow))}
<fieldset class="several"><legend>With the ticked orders</legend><div class="row">
<button class="quiet" formaction="${ORDERS}/slips">Packing slips</button>${buttons}</div></fieldset></form>`;
}
