import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, type FormDefinition, parseForm, reasonForm } from '#server/admin/forms/parse.ts';
import { recordEditor, saveRecord } from '#server/admin/forms/record-editor.tsx';
import { STAFF_STATUSES, staffStatusOf, statusText } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { Notice, StatusBadge } from '#server/admin/views/pieces.tsx';
import {
  applyTransition,
  areaOf,
  label,
  lastTransition,
  type OrderTransition,
  sendParcel,
  setTracking,
  shippingWarningsOf,
  TRANSITION_NAMES,
  TRANSITIONS,
  type Transition,
  takeBack,
  trackingTexts,
  transitionsOf,
} from '#server/fulfilment/apply-transition.ts';
import { Refusal } from '#server/http/refusal.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { movementsOf } from '#server/ledger/movements.ts';
import { lockOrder, RTO_REASON_NAMES, RTO_REASONS, updateOrder } from '#server/orders/stored-orders.ts';
import { attentionTexts } from '#server/payments/attention.ts';
import type { Services } from '#server/services/services.ts';
import { ACKNOWLEDGED, ASK_OWNER, BACK_ON_SALE, trackingForm } from './order-actions.tsx';
import { idOf, requireOrder, servesCustomers, showOrder } from './order-page.tsx';

const rtoForm = defineForm(
  v.object({
    why: v.picklist(RTO_REASON_NAMES, 'Choose why'),
    goods: text(200),
    backOnSale: v.boolean(),
  }),
  {
    why: {
      label: 'Why did it come back?',
      control: 'radios',
      options: Object.entries(RTO_REASONS).map(([value, { en }]) => ({
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
    backOnSale: BACK_ON_SALE,
  },
);

/** What the forms of transitions ask for. Most ask for nothing. */
type Sent = Pick<OrderTransition, 'carrier' | 'tracking' | 'why' | 'goods' | 'backOnSale'>;

type TransitionForm = FormDefinition<v.GenericSchema<unknown, Sent>>;

const NO_FIELDS: TransitionForm = defineForm(v.object({}), {});

const FORMS: Readonly<Partial<Record<Transition, TransitionForm>>> = {
  ship: trackingForm,
  'returned-to-origin': rtoForm,
};

/** Makes a transition of one order. If someone was first, its page keeps what was typed. */
const makeTransition =
  (transition: Transition, apply = applyTransition): AdminPage['handle'] =>
  async (context, services) => {
    const id = idOf(context);
    const form = context.get('form');
    const parsed = parseForm(FORMS[transition] ?? NO_FIELDS, form);
    if (!parsed.isValid)
      return TRANSITIONS[transition].confirmation
        ? confirm(transition)(context, services, parsed)
        : showOrder(context, services, parsed);
    const { output, values } = parsed;
    let isToRefund = false;
    const answer = await change(context, services, async (transaction, log) => {
      const order = await requireOrder(transaction, id);
      const refuse = (text: string) =>
        new ChangeAborted(() =>
          showOrder(context, services, {
            values,
            notice: (
              <Notice isAlert>
                <p>{text} Nothing was changed.</p>
              </Notice>
            ),
          }),
        );
      const warnings = transition === 'ship' ? (await shippingWarningsOf(transaction, order)).join(' ') : '';
      if (warnings && !servesCustomers(context)) throw refuse(ASK_OWNER);
      if (warnings !== (form.get(ACKNOWLEDGED) ?? ''))
        throw refuse(
          form.has(ACKNOWLEDGED)
            ? 'Its payment is not what it was on your page.'
            : "Look at its payment, and tick 'Ship it all the same' if you do.",
        );
      const given = { ...output, id, transition, by: 'staff' } as const;
      const result = await apply(transaction, services, given, log);
      if (result.problem) throw refuse(`Order ${order.shownNumber} ${result.problem}.`);
      ({ isToRefund } = result);
      return { to: orderPath(id), message: `Order ${order.shownNumber} ${statusText(result.status)} now.` };
    });
    if (isToRefund) services.metrics?.paymentChanged('refund_due');
    return answer;
  };

export const emailIn = ({ settings }: Services, email: string) =>
  settings.mail && <p>{email} in two minutes. Until then you can take this back, and no email is sent.</p>;

/** The page that asks before an order ends. */
const confirm =
  (transition: Transition) =>
  async (context: AdminContext, services: Services, state: FormState = {}): Promise<Response> => {
    const order = await requireOrder(services.db, idOf(context));
    const { id, shownNumber, status, totalPaise, address } = order;
    if (!transitionsOf(status).needsConfirmation.includes(transition))
      throw new Refusal(409, `This order is ${label(status)}, so this is no longer possible.`);
    const movements = await movementsOf(services.db, order.number);
    const problems = attentionTexts(order, movements, services.clock());
    return showForm(context, {
      title: TRANSITIONS[transition].confirmation?.(shownNumber) ?? '',
      intro: (
        <>
          <p>
            <StatusBadge status={status} /> {formatPaise(totalPaise)}, for {address.fullName}, {address.city}
          </p>
          {order.heldPaise > 0 && (
            <p>
              <strong>
                {formatPaise(order.heldPaise)}: {MONEY_LABELS[order.money]}.
              </strong>{' '}
              {problems.join(' ')} It must be refunded. It will be listed above the orders until it is
              resolved.
            </p>
          )}
          {order.money === 'to_collect' && <p>Nothing is collected any more.</p>}
          <p>
            {order.heldPaise > 0 ? 'If more money' : 'Nothing was paid. If money'} still comes, it will be
            listed above the orders as a refund that is due.
          </p>
          {emailIn(services, 'The email to the customer goes out')}
        </>
      ),
      fields: (FORMS[transition] ?? NO_FIELDS).fields,
      action: `${orderPath(id)}/${transition}`,
      submit: TRANSITIONS[transition].button,
      variant: 'danger',
      back: orderPath(id),
      values: { backOnSale: true },
      ...state,
    });
  };

const takeBackEditor = recordEditor({
  form: reasonForm,
  lock: (transaction, context) => lockOrder(transaction, idOf(context)),
  async find(context, _services, db) {
    const order = await requireOrder(db, idOf(context));
    const last = lastTransition(order);
    if (last && !context.get('mayOpen')(`${orderPath(order.id)}/${last}`, 'POST'))
      throw new Refusal(403, 'An owner made this step, and takes it back.');
    if (!last) throw new Refusal(409, 'The last step of this order cannot be taken back.');
    return order;
  },
  textsOf: ({ status }) => ({ Status: label(status) }),
  view: ({ id, shownNumber, status, events }) => ({
    title: `Take back: order ${shownNumber} is ${label(status)}?`,
    action: `${orderPath(id)}/take-back`,
    intro: (
      <>
        <p>
          It becomes {label(events.at(-2)?.status ?? STAFF_STATUSES.pending.code)} again. Payments and refunds
          made since then stay as they are.
        </p>
        <p>
          {events.at(-1)?.by === 'customer'
            ? 'The customer cancelled it. Call first: the email says that the parcel comes after all, and that the customer may refuse it.'
            : 'If the customer already got an email about it, a correction follows.'}
        </p>
      </>
    ),
    submit: 'Take it back',
    variant: 'danger',
    back: orderPath(id),
  }),
  async store(transaction, log, { reason }, { id, shownNumber }, services) {
    const { status, needsCorrection } = await takeBack(transaction, services, id, reason, log);
    const correction = needsCorrection ? ' The customer gets a correction by email.' : '';
    return { to: orderPath(id), message: `Order ${shownNumber} is ${label(status)} again.${correction}` };
  },
});

/** The staff have called: the order is to pack. */
function noteCall(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  return change(context, services, async (transaction, log) => {
    const { number, shownNumber } = await requireOrder(transaction, id);
    await updateOrder(transaction, number, { toConfirm: 0 });
    await log({ action: 'called the customer', target: ['order', id] });
    return { to: orderPath(id), message: `Order ${shownNumber} is ready to pack.` };
  });
}

/** The staff have unpacked a cancelled order, or it was not packed. */
function noteUnpacked(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  return change(context, services, async (transaction, log) => {
    const { number, shownNumber } = await requireOrder(transaction, id);
    await updateOrder(transaction, number, { printedAt: null });
    await log({ action: 'unpacked', target: ['order', id] });
    return { to: orderPath(id), message: `The goods of order ${shownNumber} are back on the shelf.` };
  });
}

/** Corrects a mistyped number, or adds one to an order that was shipped together with others. */
function changeTracking(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  return saveRecord(context, services, (shown) => showOrder(context, services, shown), {
    form: trackingForm,
    lock: (transaction) => lockOrder(transaction, id),
    async find(_context, _services, db) {
      const order = await requireOrder(db, id);
      if (staffStatusOf(order.status).hasShipped) return order;
      throw new Refusal(409, 'This order has no tracking number yet.');
    },
    textsOf: trackingTexts,
    async store(transaction, log, { tracking, carrier }, stored) {
      const isNotified = await setTracking(transaction, services, stored, { tracking, carrier }, log);
      const more = isNotified && services.settings.mail ? ', and goes to the customer' : '';
      return { to: orderPath(id), message: `The tracking number is saved${more}.` };
    },
  });
}

const page = (
  method: AdminPage['method'],
  name: string,
  handle: AdminPage['handle'],
  area: 'orders' | 'service' = 'orders',
): AdminPage => ({ method, path: `/orders/${name}`, access: `${area}.write`, handle });

export const TRANSITION_PAGES: readonly AdminPage[] = [
  page('GET', ':id/take-back', takeBackEditor.open),
  page('POST', ':id/take-back', takeBackEditor.save),
  page('POST', ':id/tracking', changeTracking),
  page('POST', ':id/parcel', makeTransition('ship', sendParcel)),
  page('POST', ':id/called', noteCall, 'service'),
  page('POST', ':id/unpacked', noteUnpacked),
  ...transitionsOf().needsConfirmation.map((name) =>
    page('GET', `:id/${name}`, (context, services) => confirm(name)(context, services), areaOf(name)),
  ),
  ...TRANSITION_NAMES.map((name) => page('POST', `:id/${name}`, makeTransition(name), areaOf(name))),
];
