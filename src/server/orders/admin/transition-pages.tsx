import { isDeepStrictEqual } from 'node:util';
import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { ChangeAborted, change, FORM_KEY, redirectWithMessage } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { parseForm, reasonForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  type Conflict,
  ConflictNotice,
  LinkButton,
  StatusBadge,
  Table,
} from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { dropWaiting, isUntried, queueEmail, TAKE_BACK_WITHIN } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  allows,
  applyTransition,
  isTransition,
  lastTransition,
  type OrderTransition,
  plainTransitions,
  TRANSITIONS,
  type Transition,
  type TransitionResult,
  takeBack,
  transitionRow,
} from '#server/orders/apply-transition.ts';
import { ORDER_EMAILS } from '#server/orders/emails.ts';
import { findOrder, lockOrder, setTracking } from '#server/orders/stored-orders.ts';
import {
  attentionText,
  type PaymentRecord,
  paymentsOf,
  STATE_NAMES,
  shippingWarnings,
} from '#server/payments/admin/payment-records.ts';
import { holdsMoney } from '#server/payments/stored-refunds.ts';
import { STATUSES, standing, statusOf } from '#server/services/order-status.ts';
import { plural } from '#server/services/plain-text.ts';
import type { Services } from '#server/services/services.ts';
import { cameBackForm, readStatus, trackingForm } from './forms.ts';
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

/** Makes a transition of one order. @param sent what was typed for it */
async function move(
  context: AdminContext,
  services: Services,
  order: ListedOrder,
  sent: Omit<OrderTransition, 'id' | 'by'>,
): Promise<Response> {
  const { transition } = sent;
  let refunds = 0;
  const answer = await change(context, services, async (transaction, log) => {
    const result = await applyTransition(transaction, services, { ...sent, id: order.id, by: 'staff' }, log);
    const now = statusPart(result?.order.status ?? order.status);
    const typed = { Status: labelAfter(transition) };
    const again = 'What can be done with it now is shown below.';
    requireFormVersion(context.get('form'), now, typed, ({ conflicts }) =>
      showConflict(context, services, conflicts, again),
    );
    if (!result?.isDone) {
      const conflict = { label: 'Status', yours: typed.Status, now: now.Status };
      throw new ChangeAborted(() => showConflict(context, services, [conflict], again));
    }
    refunds = result.refunds;
    const message = `Order ${order.shownNumber} ${standing(result.status)} now.`;
    return { to: orderPath(order.id), message };
  });
  for (let count = 0; count < refunds; count += 1) services.metrics?.paymentChanged('refund_due');
  return answer;
}

const back = (href: string, text: string): ReactNode => (
  <LinkButton look="quiet" href={href}>
    {text}
  </LinkButton>
);

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
        <Form
          fields={{}}
          action={`${orderPath(id)}/ship`}
          submit="Ship it all the same"
          look="danger"
          hidden={{ ...Object.fromEntries(sent), [DESPITE]: 'yes' }}
          more={back(orderPath(id), 'Change nothing')}
        />
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
    const sent = transitionRow(transition).needsTracking ? parsed.values : {};
    return move(context, services, order, { transition, ...sent });
  };

async function cameBack(context: AdminContext, services: Services): Promise<Response> {
  const order = await requireOrder(context, services);
  const parsed = parseForm(cameBackForm, context.get('form'));
  if (!parsed.isValid) return confirm('came-back')(context, services, parsed);
  return move(context, services, order, { transition: 'came-back', ...parsed.values });
}

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

const emailIn = ({ settings }: Services, text: string): ReactNode =>
  settings.mail && (
    <p>
      {text} goes out in two minutes. Until then you can take this back without the customer hearing of it.
    </p>
  );

/** What the pages that ask before a transition say. */
const QUESTIONS = {
  cancel: {
    title: (order: string) => `Cancel order ${order}?`,
    fields: {},
    money: 'still comes',
  },
  'came-back': {
    title: (order: string) => `The parcel of order ${order} came back?`,
    fields: cameBackForm.fields,
    money: 'comes from the courier',
  },
} as const;

/** The page that asks before an order ends. */
const confirm =
  (transition: keyof typeof QUESTIONS) =>
  async (context: AdminContext, services: Services, state: FormState = {}): Promise<Response> => {
    const { id, number, shownNumber, status, totalPaise, address } = await requireOrder(context, services);
    const { title, fields, money } = QUESTIONS[transition];
    if (!allows(status, transition))
      throw new Refusal(409, `This order is ${label(status)}, so this is no longer possible.`);
    const payments = await paymentsOf(services.db, number);
    const holding = payments.filter(({ state: each }) => holdsMoney(each));
    return showPage(context, {
      title: title(shownNumber),
      content: (
        <>
          <p>
            <StatusBadge status={status} /> {formatPaise(totalPaise)}, for {address.fullName}, {address.city}
          </p>
          {holding.map(moneyOf)}
          {payments.some(({ state: each }) => each === 'to_collect') && <p>Nothing is collected any more.</p>}
          <p>
            {holding.length > 0 ? 'If more money' : 'Nothing was paid. If money'} {money}, it will be listed
            above the orders as a refund that is due.
          </p>
          {emailIn(services, 'The email to the customer')}
          <Form
            fields={fields}
            action={`${orderPath(id)}/${transition}`}
            submit={TRANSITIONS[transition].button}
            look="danger"
            hidden={formVersion(statusPart(status))}
            more={back(orderPath(id), 'Change nothing')}
            {...state}
          />
        </>
      ),
      status: state.mistakes ? 422 : 200,
    });
  };

async function confirmTakeBack(context: AdminContext, services: Services, state: FormState = {}) {
  const order = await requireOrder(context, services);
  const transition = lastTransition(order);
  if (!transition) throw new Refusal(409, 'The last step of this order cannot be taken back.');
  const { email } = transitionRow(transition);
  const isWaiting = email && (await isUntried(services.db, ORDER_EMAILS[email].kind, order.id));
  return showPage(context, {
    title: `Take back: order ${order.shownNumber} is ${label(order.status)}?`,
    content: (
      <>
        <p>
          It becomes {label(order.events.at(-2)?.status ?? STATUSES.pending.code)} again, and so do its
          payments.
        </p>
        <p>
          {!services.settings.mail || !email || isWaiting
            ? 'The customer was not written to, and hears nothing of it.'
            : 'The customer was written to, and gets an email with the correction.'}
        </p>
        <Form
          fields={reasonForm.fields}
          action={`${orderPath(order.id)}/take-back`}
          submit="Take it back"
          look="danger"
          hidden={formVersion(statusPart(order.status))}
          more={back(orderPath(order.id), 'Change nothing')}
          {...state}
        />
      </>
    ),
    status: state.mistakes ? 422 : 200,
  });
}

async function takeItBack(context: AdminContext, services: Services): Promise<Response> {
  const { id, shownNumber } = await requireOrder(context, services);
  const parsed = parseForm(reasonForm, context.get('form'));
  if (!parsed.isValid) return confirmTakeBack(context, services, parsed);
  return change(context, services, async (transaction, log) => {
    const before = await findOrder(transaction, id);
    requireFormVersion(
      context.get('form'),
      statusPart(before?.status ?? STATUSES.pending.code),
      {},
      ({ conflicts }) =>
        showConflict(context, services, conflicts, 'See below what can be done with it now.'),
    );
    const result = await takeBack(transaction, services, id, parsed.values.reason, log);
    if ('problem' in result) throw new Refusal(409, result.problem);
    const correction = result.needsCorrection ? ' The customer gets a correction by email.' : '';
    return {
      to: orderPath(id),
      message: `Order ${shownNumber} is ${label(result.status)} again.${correction}`,
    };
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

/** What a form about several orders asks for. @throws Refusal 422 */
function readSeveral(form: FormData) {
  const status = readStatus(String(form.get('status')));
  const transition = form.get('transition');
  if (!isTransition(transition) || !plainTransitions().includes(transition))
    throw new Refusal(422, 'Choose what to do with the ticked orders.');
  // Orders are always locked sorted by id, which avoids deadlocks.
  const ids = [...new Set(form.getAll('order').map(String))].toSorted();
  if (ids.length > ORDERS_PER_PAGE) throw new Refusal(422, `Tick at most ${ORDERS_PER_PAGE} orders.`);
  return { transition, ids, status, to: status === undefined ? ORDERS : `${ORDERS}?status=${status}` };
}

const HELD_BACK = 'its money was disputed or refunded. Open it to decide.';

/** The orders that are shipped only one by one, after a warning. */
async function heldBack(db: Reader, transition: Transition, ids: readonly string[]): Promise<Set<string>> {
  const held = new Set<string>();
  if (transition === 'ship')
    for (const id of ids) if ((await shippingWarnings(db, id)).length > 0) held.add(id);
  return held;
}

/** The page that asks before a transition of several orders. */
async function confirmSeveral(context: AdminContext, services: Services): Promise<Response> {
  const { transition, ids, status, to } = readSeveral(context.get('form'));
  if (ids.length === 0)
    return redirectWithMessage(context, services, { to, message: 'No order was ticked.' });
  const orders = await ordersById(services.db, ids);
  const held = await heldBack(services.db, transition, ids);
  const ready = orders.filter(({ id, status: each }) => allows(each, transition) && !held.has(id));
  const { button, email } = transitionRow(transition);
  return showPage(context, {
    title: `${button}: ${plural(ready.length, 'order')}?`,
    content: (
      <>
        <Table
          hasTitles
          caption="The ticked orders"
          heads={['Order', 'To', 'Total', 'What happens']}
          rows={orders.map((order) => [
            order.shownNumber,
            `${order.address.fullName}, ${order.address.city}`,
            formatPaise(order.totalPaise),
            ready.includes(order)
              ? labelAfter(transition)
              : `Nothing: ${held.has(order.id) ? HELD_BACK : `it is ${label(order.status)}`}`,
          ])}
        />
        {email && emailIn(services, ready.length === 1 ? 'One email' : `${ready.length} emails`)}
        {ready.length === 0 ? (
          back(to, 'Back')
        ) : (
          <Form
            fields={{}}
            action={`${ORDERS}/several/change`}
            submit={`${button}: ${ready.length}`}
            hidden={{ transition, ...(status === undefined ? {} : { status }) }}
            more={back(to, 'Change nothing')}
          >
            {ids.map((id) => (
              <input key={id} type="hidden" name="order" value={id} />
            ))}
          </Form>
        )}
      </>
    ),
  });
}

async function applyToSeveral(context: AdminContext, services: Services): Promise<Response> {
  const { transition, ids, to } = readSeveral(context.get('form'));
  return change(context, services, async (transaction, log) => {
    const outcomes: [string, TransitionResult | undefined][] = [];
    const held = await heldBack(transaction, transition, ids);
    for (const id of ids) {
      if (held.has(id)) continue;
      const move = { id, transition, by: 'staff' } as const;
      outcomes.push([id, await applyTransition(transaction, services, move, log)]);
    }
    const rest = (await ordersById(transaction, [...held])).map(({ shownNumber }) => shownNumber);
    const message = outcomeText(transition, outcomes);
    return { to, message: rest.length > 0 ? `${message} ${rest.join(', ')}: ${HELD_BACK}` : message };
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
        const email = { ...ORDER_EMAILS.shipped, waits: TAKE_BACK_WITHIN };
        await queueEmail(transaction, services, email, order.id);
        const note = services.settings.mail ? ', and goes to the customer' : '';
        return { to: orderPath(order.id), message: `The tracking number is saved${note}.` };
      }
    }
    return { to: orderPath(order.id), message: 'The tracking number is saved.' };
  });
}

const access = 'orders';

export const TRANSITION_PAGES: readonly AdminPage[] = [
  { method: 'POST', path: '/orders/several', access, handle: confirmSeveral },
  { method: 'POST', path: '/orders/several/change', access, handle: applyToSeveral },
  {
    method: 'GET',
    path: '/orders/:id/cancel',
    access: 'orders.write',
    handle: confirm('cancel'),
  },
  {
    method: 'GET',
    path: '/orders/:id/came-back',
    access: 'orders.write',
    handle: confirm('came-back'),
  },
  { method: 'POST', path: '/orders/:id/came-back', access, handle: cameBack },
  {
    method: 'GET',
    path: '/orders/:id/take-back',
    access: 'orders.write',
    handle: confirmTakeBack,
  },
  { method: 'POST', path: '/orders/:id/take-back', access, handle: takeItBack },
  { method: 'POST', path: '/orders/:id/tracking', access, handle: changeTracking },
  ...[...plainTransitions(), 'cancel' as const].map(
    (transition): AdminPage => ({
      method: 'POST',
      path: `/orders/:id/${transition}`,
      access,
      handle: handleTransition(transition),
    }),
  ),
];
