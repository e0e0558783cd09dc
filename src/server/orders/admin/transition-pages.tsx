import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { formVersion, requireUnchanged } from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, reasonForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, StatusBadge, Table } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { dropWaiting, queueEmail, TAKE_BACK_WITHIN } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  applyTransition,
  isTransition,
  lastTransition,
  type OrderTransition,
  TRANSITIONS,
  type Transition,
  takeBack,
  transitionsOf,
} from '#server/orders/apply-transition.ts';
import { ORDER_EMAILS } from '#server/orders/emails.ts';
import { findOrder, lockOrder, updateOrder } from '#server/orders/stored-orders.ts';
import { attentionText, STATE_NAMES, shippingWarnings } from '#server/payments/admin/payment-texts.ts';
import { holdsMoney } from '#server/payments/payment-state.ts';
import { paymentsOf } from '#server/payments/stored-payments.ts';
import { refundsOf } from '#server/payments/stored-refunds.ts';
import { CAME_BACK, type CameBack, STATUSES, standing, statusOf } from '#server/services/order-status.ts';
import { plural } from '#server/services/plain-text.ts';
import type { Services } from '#server/services/services.ts';
import { type ListedOrder, readStatus, tickedOrders } from './listed-orders.ts';
import {
  LOSS,
  requireOrder,
  SEEN,
  showOrder,
  statusPart,
  trackingForm,
  trackingPart,
} from './order-page.tsx';

const isCameBack = (name: string): name is CameBack => Object.hasOwn(CAME_BACK, name);

const cameBackForm = defineForm(
  v.object({ why: v.picklist(Object.keys(CAME_BACK).filter(isCameBack), 'Choose why'), goods: text(200) }),
  {
    why: {
      label: 'Why did it come back?',
      control: 'radios',
      options: Object.entries(CAME_BACK).map(([value, { en }]) => ({
        value,
        label: en.charAt(0).toUpperCase() + en.slice(1),
      })),
    },
    goods: {
      label: 'The goods',
      hint: 'Such as: complete, back on the shelf; or: two jars broken. The customer does not see it.',
      control: 'text',
      autocomplete: 'off',
      isOptional: true,
    },
  },
);

const label = (status: number): string => statusOf(status).label;

/** Makes a transition of one order. @param sent what was typed for it */
async function move(
  context: AdminContext,
  services: Services,
  { id, shownNumber }: ListedOrder,
  sent: Omit<OrderTransition, 'id' | 'by'>,
): Promise<Response> {
  let refunds = 0;
  const answer = await change(context, services, async (transaction, log) => {
    const result = await applyTransition(transaction, services, { ...sent, id, by: 'staff' }, log);
    if (result.problem)
      throw new Refusal(409, `Order ${shownNumber} ${result.problem}. Nothing was changed.`);
    refunds = result.refunds;
    return { to: orderPath(id), message: `Order ${shownNumber} ${standing(result.status)} now.` };
  });
  if (refunds > 0) services.metrics?.paymentChanged('refund_due');
  return answer;
}

async function warningsOf(db: Reader, { number }: ListedOrder): Promise<string[]> {
  const payments = await paymentsOf(db, number);
  return shippingWarnings(payments, await refundsOf(db, payments));
}

const handleTransition =
  (transition: Transition): AdminPage['handle'] =>
  async (context, services) => {
    const order = await requireOrder(context, services);
    if (transition !== 'ship') return move(context, services, order, { transition });
    const form = context.get('form');
    const parsed = parseForm(trackingForm, form);
    if (!parsed.isValid) return showOrder(context, services, order, parsed);
    const warnings = (await warningsOf(services.db, order)).join(' ');
    if (warnings !== (form.get(SEEN) ?? ''))
      throw new Refusal(409, `${warnings} ${LOSS} Nothing was changed. Open the order again to decide.`);
    return move(context, services, order, { transition, ...parsed.values });
  };

async function cameBack(context: AdminContext, services: Services): Promise<Response> {
  const order = await requireOrder(context, services);
  const parsed = parseForm(cameBackForm, context.get('form'));
  if (!parsed.isValid) return confirm('came-back')(context, services, parsed);
  return move(context, services, order, { transition: 'came-back', ...parsed.values });
}

const emailIn = ({ settings }: Services, email: string) =>
  settings.mail && (
    <p>
      {email} goes out in two minutes. Until then you can take this back without the customer hearing of it.
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
    if (!transitionsOf(true, status).includes(transition))
      throw new Refusal(409, `This order is ${label(status)}, so this is no longer possible.`);
    const payments = await paymentsOf(services.db, number);
    const holding = payments.filter((record) => holdsMoney(record.state));
    return showForm(context, {
      title: title(shownNumber),
      intro: (
        <>
          <p>
            <StatusBadge status={status} /> {formatPaise(totalPaise)}, for {address.fullName}, {address.city}
          </p>
          {holding.map((record) => (
            <p key={record.reference}>
              <strong>
                {formatPaise(record.amountPaise)}: {STATE_NAMES[record.state]}.
              </strong>{' '}
              {record.state === 'paid'
                ? 'It must be refunded. It will be listed above the orders until it is resolved.'
                : attentionText(record)}
            </p>
          ))}
          {payments.some((record) => record.state === 'to_collect') && <p>Nothing is collected any more.</p>}
          <p>
            {holding.length > 0 ? 'If more money' : 'Nothing was paid. If money'} {money}, it will be listed
            above the orders as a refund that is due.
          </p>
          {emailIn(services, 'The email to the customer')}
        </>
      ),
      fields,
      action: `${orderPath(id)}/${transition}`,
      submit: TRANSITIONS[transition].button,
      look: 'danger',
      back: orderPath(id),
      ...state,
    });
  };

async function confirmTakeBack(context: AdminContext, services: Services, state: FormState = {}) {
  const order = await requireOrder(context, services);
  if (!lastTransition(order)) throw new Refusal(409, 'The last step of this order cannot be taken back.');
  return showForm(context, {
    title: `Take back: order ${order.shownNumber} is ${label(order.status)}?`,
    intro: (
      <>
        <p>
          It becomes {label(order.events.at(-2)?.status ?? STATUSES.pending.code)} again, and so do its
          payments.
        </p>
        <p>A customer who was already written to gets an email with the correction.</p>
      </>
    ),
    fields: reasonForm.fields,
    action: `${orderPath(order.id)}/take-back`,
    submit: 'Take it back',
    look: 'danger',
    hidden: formVersion(statusPart(order.status)),
    back: orderPath(order.id),
    ...state,
  });
}

async function takeItBack(context: AdminContext, services: Services): Promise<Response> {
  const { id, shownNumber } = await requireOrder(context, services);
  const form = context.get('form');
  const parsed = parseForm(reasonForm, form);
  if (!parsed.isValid) return confirmTakeBack(context, services, parsed);
  return change(context, services, async (transaction, log) => {
    const before = await findOrder(transaction, id);
    if (before) requireUnchanged(form, statusPart(before.status));
    const { status, needsCorrection } = await takeBack(transaction, services, id, parsed.values.reason, log);
    const correction = needsCorrection ? ' The customer gets a correction by email.' : '';
    return { to: orderPath(id), message: `Order ${shownNumber} is ${label(status)} again.${correction}` };
  });
}

/** What a form about several orders asks for. @throws Refusal 422 */
function readSeveral(form: FormData) {
  const status = readStatus(String(form.get('status')));
  const transition = form.get('transition');
  if (!isTransition(transition) || !transitionsOf(false).includes(transition))
    throw new Refusal(422, 'Choose what to do with the ticked orders.');
  return { transition, status, to: status === undefined ? ORDERS : `${ORDERS}?status=${status}` };
}

const HELD_BACK = 'its money was disputed or refunded. Open it to decide.';

/** Whether the order is shipped only alone, after a warning. */
const isHeldBack = async (db: Reader, transition: Transition, order: ListedOrder): Promise<boolean> =>
  transition === 'ship' && (await warningsOf(db, order)).length > 0;

/** The page that asks before a transition of several orders. */
async function confirmSeveral(context: AdminContext, services: Services): Promise<Response> {
  const { transition, status, to } = readSeveral(context.get('form'));
  const orders = await tickedOrders(context, services.db);
  const { button, email, to: after } = TRANSITIONS[transition];
  let ready = 0;
  const rows: string[][] = [];
  for (const order of orders) {
    const { shownNumber, address, totalPaise } = order;
    const isPossible = transitionsOf(false, order.status).includes(transition);
    const isHeld = await isHeldBack(services.db, transition, order);
    if (isPossible && !isHeld) ready += 1;
    const problem = isHeld ? HELD_BACK : `it is ${label(order.status)}`;
    const what = isPossible && !isHeld ? STATUSES[after].label : `Nothing: ${problem}`;
    rows.push([shownNumber, `${address.fullName}, ${address.city}`, formatPaise(totalPaise), what]);
  }
  const back = (
    <LinkButton look="quiet" href={to}>
      Change nothing
    </LinkButton>
  );
  return showPage(context, {
    title: `${button}: ${plural(ready, 'order')}?`,
    content: (
      <>
        <Table
          hasTitles
          caption="The ticked orders"
          heads={['Order', 'To', 'Total', 'What happens']}
          rows={rows}
        />
        {email && emailIn(services, ready === 1 ? 'One email' : `${ready} emails`)}
        {ready === 0 ? (
          back
        ) : (
          <Form
            fields={{}}
            action={`${ORDERS}/several/change`}
            submit={`${button}: ${ready}`}
            hidden={{ transition, ...(status === undefined ? {} : { status }) }}
            more={back}
          >
            {orders.map(({ id }) => (
              <input key={id} type="hidden" name="order" value={id} />
            ))}
          </Form>
        )}
      </>
    ),
  });
}

async function applyToSeveral(context: AdminContext, services: Services): Promise<Response> {
  const { transition, to } = readSeveral(context.get('form'));
  return change(context, services, async (transaction, log) => {
    const orders = await tickedOrders(context, transaction);
    const problems: string[] = [];
    // Orders are always locked in the order of their numbers, which avoids deadlocks.
    for (const order of orders) {
      const isHeld = await isHeldBack(transaction, transition, order);
      const given = { id: order.id, transition, by: 'staff' } as const;
      const problem = isHeld
        ? `is not: ${HELD_BACK}`
        : (await applyTransition(transaction, services, given, log)).problem;
      if (problem) problems.push(`${order.shownNumber} ${problem}`);
    }
    const done = orders.length - problems.length;
    const status = STATUSES[TRANSITIONS[transition].to].label;
    const message = [
      done === 0
        ? 'No order was changed.'
        : `${done} ${done === 1 ? 'order is' : 'orders are'} ${status} now.`,
      ...(problems.length > 0 ? [`Not changed: ${problems.join(', ').replace(/\.?$/, '.')}`] : []),
    ];
    return { to, message: message.join(' ') };
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
    requireUnchanged(form, before);
    const isNew = !isDeepStrictEqual(before, after);
    if (isNew) {
      const { tracking, carrier } = parsed.values;
      await updateOrder(transaction, now.number, { tracking: tracking || null, carrier: carrier || null });
      const changed = differences(before, after);
      await log({ action: 'changed the tracking number', target: ['order', order.id], ...changed });
    }
    // The shipping email went out without this number, or is still queued.
    const isSent = isNew && parsed.values.tracking !== '' && now.status === STATUSES.shipped.code;
    if (isSent) {
      await dropWaiting(transaction, services.clock(), [ORDER_EMAILS.shipped.kind], [order.id]);
      const email = { ...ORDER_EMAILS.shipped, waits: TAKE_BACK_WITHIN };
      await queueEmail(transaction, services, email, order.id);
    }
    const note = isSent && services.settings.mail ? ', and goes to the customer' : '';
    return { to: orderPath(order.id), message: `The tracking number is saved${note}.` };
  });
}

const access = 'orders';

const page = (method: AdminPage['method'], name: string, handle: AdminPage['handle']): AdminPage => ({
  method,
  path: `/orders/${name}`,
  access: method === 'GET' ? 'orders.write' : access,
  handle,
});

export const TRANSITION_PAGES: readonly AdminPage[] = [
  page('POST', 'several', confirmSeveral),
  page('POST', 'several/change', applyToSeveral),
  page('GET', ':id/cancel', confirm('cancel')),
  page('GET', ':id/came-back', confirm('came-back')),
  page('POST', ':id/came-back', cameBack),
  page('GET', ':id/take-back', confirmTakeBack),
  page('POST', ':id/take-back', takeItBack),
  page('POST', ':id/tracking', changeTracking),
  ...[...transitionsOf(false), 'cancel' as const].map((transition) =>
    page('POST', `:id/${transition}`, handleTransition(transition)),
  ),
];
