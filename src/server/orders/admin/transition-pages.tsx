import { isDeepStrictEqual } from 'node:util';
import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { STATUSES, statusOf } from '#domain/order-status.ts';
import { ChangeAborted, change, FORM_KEY, redirectWithMessage } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import { parseForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  type Conflict,
  ConflictNotice,
  LinkButton,
  StatusBadge,
} from '#server/admin/views/pieces.tsx';
import { dropWaiting, queueEmail } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  allows,
  applyTransition,
  isTransition,
  plainTransitions,
  TRANSITION_NAMES,
  TRANSITIONS,
  type Transition,
  type TransitionResult,
  transitionRow,
} from '#server/orders/apply-transition.ts';
import { ORDER_EMAILS } from '#server/orders/emails.ts';
import { lockOrder, setTracking } from '#server/orders/stored-orders.ts';
import {
  attentionText,
  type PaymentRecord,
  paymentsOf,
  STATE_NAMES,
  shippingWarnings,
} from '#server/payments/admin/payment-records.ts';
import { holdsMoney } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { readStatus, trackingForm } from './forms.ts';
import { type ListedOrder, ORDERS_PER_PAGE, ordersById } from './listed-orders.ts';
import { requireOrder, showOrder, statusPart, trackingPart } from './order-page.tsx';

const label = (status: number): string => statusOf(status).label;

const labelAfter = (transition: Transition): string => STATUSES[transitionRow(transition).to].label;

/** The current order, with both values of each conflicting change. */
async function showConflict(
  context: AdminContext,
  services: Services,
  conflicts: readonly Conflict[],
  again: string,
): Promise<Response> {
  return showOrder(context, services, await requireOrder(context, services), {
    notice: <ConflictNotice conflicts={conflicts} again={again} />,
  });
}

/** The field of the staff's answer that an order is shipped in spite of a warning. */
const DESPITE = 'despite';

/** Asks before goods leave whose money a bank or the provider may have taken back. */
function confirmShipping(
  context: AdminContext,
  { id, shownNumber }: ListedOrder,
  warnings: readonly string[],
  form: FormData,
): Response | Promise<Response> {
  const sent = [...form].filter(([name]) => name !== FORM_KEY).map(([name, value]) => [name, String(value)]);
  return showPage(context, {
    title: `Ship order ${shownNumber}?`,
    content: (
      <>
        {warnings.map((warning) => (
          <p key={warning}>
            <strong>{warning}</strong>
          </p>
        ))}
        <p>Who ships now may lose the goods and the money.</p>
        <PostForm
          className="flex flex-wrap items-end gap-3"
          action={`${orderPath(id)}/ship`}
          hidden={{ ...Object.fromEntries(sent), [DESPITE]: 'yes' }}
        >
          <Button look="danger">Ship it all the same</Button>
          <LinkButton look="quiet" href={orderPath(id)}>
            Keep it
          </LinkButton>
        </PostForm>
      </>
    ),
  });
}

const handleTransition =
  (transition: Transition): AdminPage['handle'] =>
  async (context, services) => {
    const order = await requireOrder(context, services);
    const form = context.get('form');
    const parsed = parseForm(trackingForm, form);
    if (!parsed.isValid) return showOrder(context, services, order, parsed);
    const warnings = transition === 'ship' ? await shippingWarnings(services.db, order.id) : [];
    if (warnings.length > 0 && form.get(DESPITE) === null)
      return confirmShipping(context, order, warnings, form);
    let refunds = 0;
    const answer = await change(context, services, async (transaction, log) => {
      const sent = transitionRow(transition).needsTracking ? parsed.values : {};
      const result = await applyTransition(transaction, services, { id: order.id, transition, ...sent }, log);
      const now = statusPart(result?.order.status ?? order.status);
      const typed = { Status: labelAfter(transition) };
      const again = 'What can be done with it now is shown below.';
      requireFormVersion(form, now, typed, ({ conflicts }) =>
        showConflict(context, services, conflicts, again),
      );
      if (!result?.isDone) {
        const conflict = { label: 'Status', yours: typed.Status, now: now.Status };
        throw new ChangeAborted(() => showConflict(context, services, [conflict], again));
      }
      refunds = result.refunds;
      const message = `Order ${order.shownNumber} is ${label(result.status)} now.`;
      return { to: orderPath(order.id), message };
    });
    for (let count = 0; count < refunds; count += 1) services.metrics?.paymentChanged('refund_due');
    return answer;
  };

/** What happens to a payment when its order is cancelled. */
function moneyOf(record: PaymentRecord): ReactNode {
  const amount = formatPaise(record.amountPaise);
  if (record.state === 'paid') {
    return (
      <p key={record.reference}>
        <strong>{amount} were paid</strong> and must be refunded. The payment will be listed above the orders
        until it is resolved.
      </p>
    );
  }
  return (
    <p key={record.reference}>
      <strong>
        A payment of {amount} is not settled: {STATE_NAMES[record.state]}.
      </strong>{' '}
      {attentionText(record)}
    </p>
  );
}

/** The confirmation page before an order is cancelled. */
async function confirmCancel(context: AdminContext, services: Services) {
  const { id, number, shownNumber, status, totalPaise, address } = await requireOrder(context, services);
  if (!allows(status, 'cancel')) {
    throw new Refusal(409, `This order is ${label(status)} and can no longer be cancelled.`);
  }
  const holding = (await paymentsOf(services.db, number)).filter(({ state }) => holdsMoney(state));
  return showPage(context, {
    title: `Cancel order ${shownNumber}?`,
    content: (
      <>
        <p>
          <StatusBadge status={status} /> {formatPaise(totalPaise)}, for {address.fullName}, {address.city}
        </p>
        {holding.map(moneyOf)}
        <p>
          {holding.length > 0 ? 'If more money' : 'Nothing was paid. If money'} still comes, it will be listed
          above the orders as a refund that is due.
        </p>
        <p>A cancelled order stays cancelled.</p>
        <PostForm
          className="flex flex-wrap items-end gap-3"
          action={`${orderPath(id)}/cancel`}
          hidden={formVersion(statusPart(status))}
        >
          <Button look="danger">{TRANSITIONS.cancel.button}</Button>
          <LinkButton look="quiet" href={orderPath(id)}>
            Keep it
          </LinkButton>
        </PostForm>
      </>
    ),
  });
}

function outcomeText(
  transition: Transition,
  outcomes: readonly (readonly [string, TransitionResult | undefined])[],
) {
  const done = outcomes.filter(([, result]) => result?.isDone).length;
  const rest = outcomes.flatMap(([id, result]) => {
    if (result?.isDone) return [];
    return [result ? `${result.order.shownNumber} ${result.reason}` : `${id} is not there`];
  });
  const status = labelAfter(transition);
  return [
    done === 0 ? 'No order was changed.' : `${done} ${done === 1 ? 'order is' : 'orders are'} ${status} now.`,
    ...(rest.length > 0 ? [`Not changed: ${rest.join(', ')}.`] : []),
  ].join(' ');
}

async function applyToSeveral(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const status = readStatus(String(form.get('status')));
  const to = status === undefined ? ORDERS : `${ORDERS}?status=${status}`;
  const transition = form.get('transition');
  if (!isTransition(transition) || !plainTransitions().includes(transition))
    throw new Refusal(422, 'Choose what to do with the ticked orders.');
  // Orders are always locked sorted by id, which avoids deadlocks.
  const ids = [...new Set(form.getAll('order').map(String))].toSorted();
  if (ids.length === 0)
    return redirectWithMessage(context, services, { to, message: 'No order was ticked.' });
  if (ids.length > ORDERS_PER_PAGE) throw new Refusal(422, `Tick at most ${ORDERS_PER_PAGE} orders.`);
  return change(context, services, async (transaction, log) => {
    const outcomes: [string, TransitionResult | undefined][] = [];
    const held: string[] = [];
    for (const id of ids) {
      if (transition === 'ship' && (await shippingWarnings(transaction, id)).length > 0) {
        const [order] = await ordersById(transaction, [id]);
        held.push(order?.shownNumber ?? id);
        continue;
      }
      outcomes.push([id, await applyTransition(transaction, services, { id, transition }, log)]);
    }
    const ask = `Not shipped, because the money was disputed or refunded: ${held.join(', ')}. Open them to decide.`;
    const message = outcomeText(transition, outcomes);
    return { to, message: held.length > 0 ? `${message} ${ask}` : message };
  });
}

/** Corrects a mistyped number, or adds one to an order that was shipped together with others. */
async function changeTracking(context: AdminContext, services: Services): Promise<Response> {
  const order = await requireOrder(context, services);
  const form = context.get('form');
  const parsed = parseForm(trackingForm, form);
  if (!parsed.isValid) return showOrder(context, services, order, parsed);
  return change(context, services, async (transaction, log) => {
    const now = await lockOrder(transaction, order.id);
    if (!now || !statusOf(now.status).hasShipped)
      throw new Refusal(409, 'This order has no tracking number yet.');
    const [before, after] = [trackingPart(now), trackingPart(parsed.values)];
    requireFormVersion(form, before, after, ({ conflicts }) =>
      showConflict(context, services, conflicts, 'Type it again below.'),
    );
    if (!isDeepStrictEqual(before, after)) {
      await setTracking(transaction, now.number, parsed.values);
      await log({
        action: 'changed the tracking number',
        target: ['order', order.id],
        ...differences(before, after),
      });
      // The shipping email went out without this number, or is still queued.
      if (parsed.values.tracking && now.status === STATUSES.shipped.code) {
        await dropWaiting(transaction, services.clock(), [ORDER_EMAILS.shipped.kind], [order.id]);
        await queueEmail(transaction, services, ORDER_EMAILS.shipped, order.id);
        const note = services.settings.mail ? ', and goes to the customer' : '';
        return { to: orderPath(order.id), message: `The tracking number is saved${note}.` };
      }
    }
    return { to: orderPath(order.id), message: 'The tracking number is saved.' };
  });
}

const access = 'orders';

export const TRANSITION_PAGES: readonly AdminPage[] = [
  { method: 'POST', path: '/orders/several', access, handle: applyToSeveral },
  { method: 'GET', path: '/orders/:id/cancel', access: 'orders.write', handle: confirmCancel },
  { method: 'POST', path: '/orders/:id/tracking', access, handle: changeTracking },
  ...TRANSITION_NAMES.map(
    (transition): AdminPage => ({
      method: 'POST',
      path: `/orders/:id/${transition}`,
      access,
      handle: handleTransition(transition),
    }),
  ),
];
