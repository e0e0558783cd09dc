import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { formatPaise } from '#domain/money.ts';
import { STATUSES, statusOf } from '#domain/order-status.ts';
import { Refusal } from '#server/http/refusal.ts';
import { dropWaiting, queueLetter } from '#server/email/outbox.ts';
import { change, goOn, NotDone } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { hiddenInputs } from '#server/admin/forms/draw.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#server/admin/page.ts';
import { ORDERS, orderPath, shortId } from '#server/admin/paths.ts';
import { requireSeen, showing } from '#server/admin/seen.ts';
import type { Content } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { type Conflict, conflictNotice } from '#server/admin/views/pieces.ts';
import { ORDER_LETTERS } from '#server/orders/letters.ts';
import {
  allows,
  isMove,
  MOVE_NAMES,
  MOVES,
  type Move,
  type Moved,
  moveOrder,
  moveRow,
  plainMoves,
} from '#server/orders/move-order.ts';
import { lockOrder, setTracking } from '#server/orders/stored-orders.ts';
import {
  matterText,
  type PaymentRecord,
  paymentsOf,
  STATE_NAMES,
} from '#server/payments/office/payment-records.ts';
import { holdsMoney } from '#server/payments/refunds.ts';
import type { Shop } from '#server/services/shop.ts';
import { readStatus, trackingForm } from './forms.ts';
import { orderBadge } from './list-pages.ts';
import { ORDERS_A_PAGE } from './listed-orders.ts';
import { orderNamed, showOrder, statusPart, trackingPart } from './order-page.ts';

const label = (status: number): string => statusOf(status).label;

const labelAfter = (move: Move): string => STATUSES[moveRow(move).to].label;

/** The order as it is now, with both values of what somebody else has changed. */
async function showConflict(
  context: OfficeContext,
  shop: Shop,
  conflicts: readonly Conflict[],
  again: string,
): Promise<Response> {
  return showOrder(context, shop, await orderNamed(context, shop), {
    notice: conflictNotice(conflicts, again),
  });
}

const handleMove =
  (move: Move): OfficePage['handle'] =>
  async (context, shop) => {
    const order = await orderNamed(context, shop);
    const form = context.get('form');
    const parsed = parseForm(trackingForm, form);
    if (!parsed.isGood) return showOrder(context, shop, order, parsed);
    let refunds = 0;
    const answer = await change(context, shop, async (transaction, log) => {
      const sent = moveRow(move).asksTracking ? parsed.values : {};
      const moved = await moveOrder(transaction, shop, { id: order.id, move, ...sent }, log);
      const now = statusPart(moved?.order.status ?? order.status);
      const typed = { Status: labelAfter(move) };
      const again = 'What can be done with it now is shown below.';
      requireSeen(form, now, typed, ({ conflicts }) => showConflict(context, shop, conflicts, again));
      if (!moved?.isDone) {
        const conflict = { label: 'Status', yours: typed.Status, now: now.Status };
        throw new NotDone(() => showConflict(context, shop, [conflict], again));
      }
      refunds = moved.refunds;
      const message = `Order ${shortId(order.id)} is ${label(moved.status)} now.`;
      return { to: orderPath(order.id), message };
    });
    for (let count = 0; count < refunds; count += 1) shop.metrics?.paymentChanged('refund_due');
    return answer;
  };

/** What becomes of the money of a payment whose order is cancelled. */
function moneyOf(record: PaymentRecord): Content {
  const amount = formatPaise(record.amountPaise);
  if (record.state === 'paid') {
    return html`<p><strong>${amount} were paid</strong> and must go back. The payment will stand on top of the orders
until somebody has dealt with it.</p>`;
  }
  return html`<p><strong>A payment of ${amount} is not settled: ${STATE_NAMES[record.state]}.</strong> ${matterText(record)}</p>`;
}

/** Asks before an order is cancelled, and says what becomes of its money. */
async function askToCancel(context: OfficeContext, shop: Shop) {
  const { id, number, status, totalPaise, address } = await orderNamed(context, shop);
  if (!allows(status, 'cancel')) {
    throw new Refusal(409, `This order is ${label(status)} and can no longer be cancelled.`);
  }
  const holding = (await paymentsOf(shop.db, number)).filter(({ state }) => holdsMoney(state));
  return showPage(context, {
    title: `Cancel order ${shortId(id)}?`,
    content: html`<p>${orderBadge(status)} ${formatPaise(totalPaise)}, for ${address.fullName}, ${address.city}</p>${holding.map(moneyOf)}
<p>${holding.length > 0 ? 'If more money' : 'Nothing was paid. If money'} still comes, it will stand on top of the orders as due back.</p>
<p>A cancelled order stays cancelled.</p>
<form class="row" method="post" action="${orderPath(id)}/cancel">${hiddenInputs(shop, showing(statusPart(status)))}
<button class="danger">${MOVES.cancel.button}</button><a class="button quiet" href="${orderPath(id)}">Keep it</a></form>`,
  });
}

/** What was done, and what was not and why. */
function outcomeText(move: Move, outcomes: readonly (readonly [string, Moved | undefined])[]) {
  const done = outcomes.filter(([, moved]) => moved?.isDone).length;
  const rest = outcomes.flatMap(([id, moved]) => {
    if (moved?.isDone) return [];
    return [`${shortId(id)} ${moved ? moved.reason : 'is not there'}`];
  });
  const status = labelAfter(move);
  return [
    done === 0 ? 'No order was changed.' : `${done} ${done === 1 ? 'order is' : 'orders are'} ${status} now.`,
    ...(rest.length > 0 ? [`Not changed: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

async function moveSeveral(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const status = readStatus(String(form.get('status')));
  const to = status === undefined ? ORDERS : `${ORDERS}?status=${status}`;
  const move = form.get('move');
  if (!isMove(move) || !plainMoves().includes(move))
    throw new Refusal(422, 'Choose what to do with the ticked orders.');
  // Orders are locked in one order by everybody, so that two forms never wait for each other.
  const ids = [...new Set(form.getAll('order').map(String))].toSorted();
  if (ids.length === 0) return goOn(context, shop, { to, message: 'No order was ticked.' });
  if (ids.length > ORDERS_A_PAGE) throw new Refusal(422, `Tick at most ${ORDERS_A_PAGE} orders.`);
  return change(context, shop, async (transaction, log) => {
    const outcomes: [string, Moved | undefined][] = [];
    for (const id of ids) {
      outcomes.push([id, await moveOrder(transaction, shop, { id, move }, log)]);
    }
    return { to, message: outcomeText(move, outcomes) };
  });
}

/** Numbers are typed wrongly, and orders that are shipped several at once have none yet. */
async function changeTracking(context: OfficeContext, shop: Shop): Promise<Response> {
  const order = await orderNamed(context, shop);
  const form = context.get('form');
  const parsed = parseForm(trackingForm, form);
  if (!parsed.isGood) return showOrder(context, shop, order, parsed);
  return change(context, shop, async (transaction, log) => {
    const now = await lockOrder(transaction, order.id);
    if (!now || !statusOf(now.status).hasLeft)
      throw new Refusal(409, 'This order has no tracking number yet.');
    const [before, after] = [trackingPart(now), trackingPart(parsed.values)];
    requireSeen(form, before, after, ({ conflicts }) =>
      showConflict(context, shop, conflicts, 'Type it again below.'),
    );
    if (!isDeepStrictEqual(before, after)) {
      await setTracking(transaction, now.number, parsed.values);
      await log({
        action: 'changed the tracking number',
        target: ['order', order.id],
        ...differences(before, after),
      });
      // The letter about the parcel was sent without this number, or still waits.
      if (parsed.values.tracking && now.status === STATUSES.shipped.wire) {
        await dropWaiting(transaction, shop.clock(), [ORDER_LETTERS.shipped.kind], [order.id]);
        await queueLetter(transaction, shop, ORDER_LETTERS.shipped, order.id);
        const told = shop.settings.mail ? ', and goes to the customer' : '';
        return { to: orderPath(order.id), message: `The tracking number is saved${told}.` };
      }
    }
    return { to: orderPath(order.id), message: 'The tracking number is saved.' };
  });
}

const access = 'orders';

export const MOVE_PAGES: readonly OfficePage[] = [
  { method: 'POST', path: '/orders/several', access, handle: moveSeveral },
  { method: 'GET', path: '/orders/:id/cancel', access, handle: askToCancel },
  { method: 'POST', path: '/orders/:id/tracking', access, handle: changeTracking },
  ...MOVE_NAMES.map(
    (move): OfficePage => ({ method: 'POST', path: `/orders/:id/${move}`, access, handle: handleMove(move) }),
  ),
];
