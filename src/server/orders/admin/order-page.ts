import { html } from 'hono/html';
import { carrierName } from '#domain/carrier.ts';
import { formatPaise, toRupees } from '#domain/money.ts';
import { addressLines, trackingText } from '#domain/order.ts';
import { breakdownLines, lineAmount, shownAmount } from '#domain/order-amounts.ts';
import { statusOf } from '#domain/order-status.ts';
import { formVersion } from '#server/admin/form-version.ts';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { hiddenInputs, renderField } from '#server/admin/forms/render.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath, paymentPath, refundPath, shortId } from '#server/admin/paths.ts';
import { mayOpen } from '#server/admin/roles.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { table, time } from '#server/admin/views/pieces.ts';
import { Refusal } from '#server/http/refusal.ts';
import { allows, plainTransitions, TRANSITIONS, transitionRow } from '#server/orders/apply-transition.ts';
import {
  returnPath,
  returnsOf,
  STATE_LABELS,
  type StoredReturn,
} from '#server/orders/returns/stored-returns.ts';
import { toTrackingDto } from '#server/orders/stored-orders.ts';
import {
  attentionText,
  needsAttention,
  type PaymentRecord,
  paymentsOf,
  STATE_NAMES,
} from '#server/payments/admin/payment-records.ts';
import { REFUND_NAMES } from '#server/payments/admin/refund-pages.ts';
import { paymentMethodText } from '#server/payments/providers/table.ts';
import { holdsMoney, type Refund, receivedPaise, refundable, refundsOf } from '#server/payments/refunds.ts';
import type { Services } from '#server/services/services.ts';
import { trackingForm } from './forms.ts';
import { historyOf } from './history.ts';
import { orderBadge } from './list-pages.ts';
import { type ListedOrder, ordersById } from './listed-orders.ts';
import { itemsOf, type OrderedItem } from './order-items.ts';

/** The order in the request's path. @throws Refusal 404 */
export async function requireOrder(context: AdminContext, services: Services): Promise<ListedOrder> {
  const [order] = await ordersById(services.db, [context.req.param('id') ?? '']);
  if (!order) throw new Refusal(404, 'There is no such order.');
  return order;
}

const renderImage = ({ image: address }: OrderedItem): Content =>
  address === ''
    ? ''
    : html`<img class="thumb" src="${address}" alt="" width="56" height="56" loading="lazy">`;

const renderItem = (item: OrderedItem) => [
  html`<div class="item">${renderImage(item)}<div>${item.title}${item.options.map((option) => html`<br>${option}`)}</div></div>`,
  String(item.quantity),
  formatPaise(item.unitPaise),
  formatPaise(lineAmount({ price: toRupees(item.unitPaise), quantity: item.quantity })),
];

/** A `tel:` link takes only digits and a plus. */
const telephone = (phone: string): Html =>
  html`<a class="touch" href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>`;

const renderCustomer = ({ address, email, courierNote, gstin }: ListedOrder): Html =>
  html`<h2>Address</h2><p>${addressLines(address).map((line) => html`${line}<br>`)}${telephone(address.phone)}</p>
<p>Customer: ${email === null ? 'the account was deleted' : html`<a class="touch" href="mailto:${encodeURIComponent(email)}">${email}</a>`}
${courierNote ? html`<br>Note to the courier: ${courierNote}` : ''}${gstin ? html`<br>GSTIN for the invoice: <b>${gstin}</b>` : ''}</p>`;

export interface OrderState {
  readonly typed?: Typed;
  readonly mistakes?: Mistakes;
  readonly notice?: Html;
}

/** What the form versions of an order cover. */
export const statusPart = (status: number) => ({ Status: statusOf(status).label });

export const trackingPart = ({ tracking, carrier }: Pick<ListedOrder, 'tracking' | 'carrier'>) => ({
  Carrier: carrierName(carrier),
  'Tracking number': tracking ?? '',
});

/** A button for each transition without confirmation. The tracking number can be corrected after shipping. */
function renderTransitions(services: Services, order: ListedOrder, { typed, mistakes }: OrderState): Content {
  const { id, status, tracking, carrier } = order;
  const field = Object.entries(trackingForm.fields).map(([name, each]) =>
    renderField(name, each, typed ?? { tracking: tracking ?? '', carrier: carrierName(carrier) }, mistakes),
  );
  const forms = plainTransitions(status).map((transition) => {
    const { button, needsTracking } = transitionRow(transition);
    return html`<form class="next" method="post" action="${orderPath(id)}/${transition}" novalidate>${hiddenInputs(services, formVersion(statusPart(status)))}
${needsTracking ? field : ''}<button>${button}</button></form>`;
  });
  const correctTracking = html`<form class="next" method="post" action="${orderPath(id)}/tracking" novalidate>
${hiddenInputs(services, formVersion(trackingPart(order)))}${field}<button class="quiet">Save the number</button></form>`;
  const cancel = html`<a class="button quiet" href="${orderPath(id)}/cancel">${TRANSITIONS.cancel.button} …</a>`;
  return html`${forms}${statusOf(status).hasShipped ? correctTracking : ''}<div class="row">
<a class="button quiet" href="${orderPath(id)}/slip">Packing slip</a>${allows(status, 'cancel') ? cancel : ''}</div>`;
}

/** An owner can refund a payment, or mark cash as collected. */
function renderMoneyActions(services: Services, record: PaymentRecord, refunds: readonly Refund[]): Content {
  const { reference, state } = record;
  if (state === 'to_collect')
    return html`<form method="post" action="${paymentPath(reference)}/collected">${hiddenInputs(services)}<button class="quiet">The cash was collected</button></form>`;
  return holdsMoney(state) && refundable(receivedPaise(record), refunds) > 0
    ? html`<br><a class="touch" href="${refundPath(reference)}">Refund</a>`
    : '';
}

function renderPayments(
  services: Services,
  payments: readonly PaymentRecord[],
  refunds: readonly Refund[],
  mayRefund: boolean,
): Html {
  if (payments.length === 0) return html`<h2>Payments</h2><p>No payment has been started yet.</p>`;
  const rows = payments.map((record) => {
    const { reference, state, amountPaise, createdAt, changedAt } = record;
    const attention = needsAttention(record)
      ? html`<br>${attentionText(record)} <a class="touch" href="${paymentPath(reference)}">Resolve</a>`
      : '';
    const resolved = record.resolvedAt === null ? '' : html`<br>Resolved: ${record.note}`;
    const own = refunds.filter((refund) => refund.reference === reference);
    const refunded = own.map(
      (refund) => html`<br>${REFUND_NAMES[refund.state]}: ${formatPaise(refund.paise)} ${refund.words}`,
    );
    const actions = mayRefund ? renderMoneyActions(services, record, own) : '';
    return [
      html`<div><b>${STATE_NAMES[state]}</b>${attention}${resolved}${refunded}${actions}</div>`,
      formatPaise(amountPaise),
      paymentMethodText(services, record),
      html`<div>${time(createdAt)}${changedAt === createdAt ? '' : html`<br>changed ${time(changedAt)}`}</div>`,
      reference,
    ];
  });
  return html`<h2>Payments</h2>${table('In the order of their start', ['State', 'Amount', 'By', 'Started', 'Reference'], rows)}`;
}

const renderReturns = (returns: readonly StoredReturn[]): Content =>
  returns.map(
    ({ id, state, createdAt }) =>
      html`<p><a class="touch" href="${returnPath(id)}">Return</a> ${STATE_LABELS[state]}, requested ${time(createdAt)}</p>`,
  );

export async function showOrder(
  context: AdminContext,
  services: Services,
  order: ListedOrder,
  state: OrderState = {},
): Promise<Response> {
  const { id, number, status, createdAt, totalPaise } = order;
  const parcel = toTrackingDto(order);
  const [items, payments, returns] = await Promise.all([
    itemsOf(services.db, [number]),
    paymentsOf(services.db, number),
    returnsOf(services.db, [number]),
  ]);
  const refunds = await refundsOf(
    services.db,
    payments.map(({ reference }) => reference),
  );
  const mayRefund = mayOpen('payments', staffOf(context).role);
  const history = await historyOf(services, order, payments, refunds);
  const { notice, mistakes } = state;
  return showPage(context, {
    title: `Order ${shortId(id)}`,
    content: html`${notice ?? ''}<p>${orderBadge(status)} ${time(createdAt)}, ${formatPaise(totalPaise)}</p>
<p>Number: ${id}${parcel ? html`<br>Tracking number: ${trackingText(parcel)}` : ''}</p>
${renderReturns(returns)}
${renderTransitions(services, order, state)}
<h2>Items</h2>${table('What was ordered', ['Item', 'Pieces', 'Price', 'Sum'], (items.get(number) ?? []).map(renderItem))}
<p>${breakdownLines({ lines: order.amounts, total: totalPaise }).map((line) => html`${line.name} ${shownAmount(line)}<br>`)}<strong>Total ${formatPaise(totalPaise)}</strong></p>
${renderCustomer(order)}${renderPayments(services, payments, refunds, mayRefund)}
<h2>History</h2>${table('Newest first', ['When', 'What', 'Who'], history)}`,
    status: notice !== undefined ? 409 : mistakes ? 422 : 200,
  });
}

export const ORDER_PAGE: AdminPage = {
  method: 'GET',
  path: '/orders/:id',
  access: 'orders',
  handle: async (context, services) => showOrder(context, services, await requireOrder(context, services)),
};
