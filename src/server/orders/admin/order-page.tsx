import type { ReactNode } from 'react';
import * as v from 'valibot';
import { CARRIER_KEYS, carrierName, storedCarrier } from '#domain/carrier.ts';
import { formatPaise } from '#domain/money.ts';
import { addressLines, trackingText } from '#domain/order.ts';
import { breakdownLines, shownAmount } from '#domain/order-amounts.ts';
import { isCancellable } from '#domain/order-status.ts';
import { type ChangeRow, readChanges } from '#server/admin/change-log.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import { codeText, type FormState, formStatus, text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { fresh, type Shown } from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath, paymentPath, refundPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  Lines,
  LinkButton,
  Notice,
  Row,
  StatusBadge,
  Table,
  Time,
  Times,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { undeliveredNotice } from '#server/email/pages.tsx';
import { Refusal } from '#server/http/refusal.ts';
import { lastTransition, TRANSITIONS, transitionsOf } from '#server/orders/apply-transition.ts';
import { returnPath, returnsOf, STATE_LABELS } from '#server/orders/returns/stored-returns.ts';
import { itemsOf, optionsText, toTrackingDto } from '#server/orders/stored-orders.ts';
import { CashActions } from '#server/payments/admin/cash-pages.tsx';
import {
  attentionTexts,
  paymentNotes,
  REFUND_NAMES,
  STATE_NAMES,
  shippingWarnings,
  stateName,
} from '#server/payments/admin/payment-texts.ts';
import { extrasOf, type ShownExtra, shownExtras } from '#server/payments/order-extras.ts';
import { holdsMoney } from '#server/payments/payment-state.ts';
import { paymentMethodText, providersOf } from '#server/payments/providers/providers.ts';
import { type Payment, paymentsOf } from '#server/payments/stored-payments.ts';
import { isDispute, type Refund, refundable, refundsOf } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { type ListedOrder, moneyOf, ordersById } from './listed-orders.ts';

const CARRIER_NAMES = CARRIER_KEYS.map(carrierName);

export const trackingForm = defineForm(
  v.pipe(
    v.object({ carrier: v.pipe(text(60), v.transform(storedCarrier)), tracking: codeText(60) }),
    v.forward(
      v.partialCheck(
        [['carrier'], ['tracking']],
        ({ carrier, tracking }) => carrier === '' || tracking !== '',
        'Enter the tracking number as well, or leave the carrier empty',
      ),
      ['tracking'],
    ),
  ),
  {
    carrier: {
      label: 'Carrier',
      hint: `The shopper gets a link for ${CARRIER_NAMES.slice(0, -1).join(', ')} and ${CARRIER_NAMES.at(-1)}.`,
      control: 'text',
      autocomplete: 'off',
      suggestions: CARRIER_NAMES,
      isOptional: true,
    },
    tracking: { label: 'Tracking number', control: 'text', autocomplete: 'off', isOptional: true },
  },
);

export const idOf = (context: AdminContext): string => context.req.param('id') ?? '';

/** @throws Refusal 404 */
export async function requireOrder(db: Reader, id: string): Promise<ListedOrder> {
  const [order] = await ordersById(db, [id]);
  if (!order) throw new Refusal(404, 'There is no such order.');
  return order;
}

/** What an order carries besides its goods and its address. */
export const Extras = ({ of }: { readonly of: readonly ShownExtra[] }) =>
  of.map(({ name, label, value }) => (
    <span key={name} className="block whitespace-pre-line">
      {label}: <b>{value}</b>
    </span>
  ));

const renderCustomer = (
  { id, status, address, email, customerId }: ListedOrder,
  extras: readonly ShownExtra[],
): ReactNode => (
  <>
    <h2>Address</h2>
    <p>
      <Lines of={addressLines(address)} />
      <br />
      <TouchLink href={`tel:${address.phone.replaceAll(/[^\d+]/g, '')}`}>{address.phone}</TouchLink>
    </p>
    {isCancellable({ status }) && (
      <LinkButton variant="quiet" href={`${orderPath(id)}/correct`}>
        Correct the address or a note
      </LinkButton>
    )}
    <p>
      Customer:{' '}
      {email === null ? (
        'the account was deleted'
      ) : (
        <TouchLink href={`mailto:${encodeURIComponent(email)}`}>{email}</TouchLink>
      )}
      <Extras of={extras} />
    </p>
    {isCancellable({ status }) && (
      <PostForm action={`${ORDERS}/several`} hidden={{ customer: customerId, transition: 'cancel' }}>
        <Button variant="quiet">Cancel all open orders of this customer</Button>
      </PostForm>
    )}
  </>
);

export const trackingTexts = ({ tracking, carrier }: Pick<ListedOrder, 'tracking' | 'carrier'>) => ({
  carrier: carrierName(carrier),
  tracking: tracking ?? '',
});

const BESIDE = 'mb-4 grid items-end gap-3 md:grid-cols-[minmax(0,320px)_auto_auto] md:justify-start';

/** The field with the warnings that the page showed: an order is shipped only by someone who saw all of them. */
export const SEEN = 'seen';

const LOSS = 'Who ships now may lose the goods and the money.';

/** A button for each transition without confirmation. The tracking number can be corrected after shipping. */
function renderTransitions(
  order: ListedOrder,
  state: FormState & Partial<Shown>,
  warnings: readonly string[],
): ReactNode {
  const { id, status } = order;
  const { values, errors, version } = { ...fresh(trackingTexts(order)), ...state };
  const path = orderPath(id);
  const { label, hasShipped } = staffStatusOf(status);
  const { atOnce, needsConfirmation } = transitionsOf(status);
  const fields = Object.entries(trackingForm.fields).map(([name, field]) => (
    <FormField key={name} name={name} field={field} values={values} errors={errors} />
  ));
  return (
    <>
      {atOnce.map((transition) => (
        <PostForm
          key={transition}
          className={BESIDE}
          action={`${path}/${transition}`}
          noValidate
          hidden={transition === 'ship' ? { [SEEN]: warnings.join(' ') } : {}}
        >
          {transition === 'ship' && fields}
          <Button>{TRANSITIONS[transition].button}</Button>
        </PostForm>
      ))}
      {hasShipped && (
        <PostForm className={BESIDE} action={`${path}/tracking`} noValidate hidden={{ version }}>
          {fields}
          <Button variant="quiet">Save the number</Button>
        </PostForm>
      )}
      <Row>
        <LinkButton variant="quiet" href={`${path}/slip`}>
          Packing slip
        </LinkButton>
        {needsConfirmation.map((transition) => (
          <LinkButton key={transition} variant="quiet" href={`${path}/${transition}`}>
            {TRANSITIONS[transition].button} …
          </LinkButton>
        ))}
        {lastTransition(order) && (
          <LinkButton variant="quiet" href={`${path}/take-back`}>
            Take back: {label} …
          </LinkButton>
        )}
      </Row>
    </>
  );
}

/** A payment with its refunds, and what an owner can do with it. */
function renderState(payment: Payment, refunds: readonly Refund[]): ReactNode {
  const { reference, state, resolvedAt, note } = payment;
  const problems = attentionTexts(payment, refunds);
  const made = refunds.filter((refund) => refund.reference === reference && !isDispute(refund));
  const lines = [
    ...(resolvedAt === null ? [] : [`Resolved: ${note}`]),
    ...made.map(({ state: now, paise, words }) => `${REFUND_NAMES[now]}: ${formatPaise(paise)} ${words}`),
    ...paymentNotes(payment, refunds),
  ];
  return (
    <div>
      <b className="whitespace-nowrap">{stateName(payment, refunds)}</b>
      {problems.length > 0 && (
        <>
          <br />
          {problems.join(' ')} <TouchLink href={paymentPath(reference)}>Resolve</TouchLink>
        </>
      )}
      <br />
      <Lines of={lines} />
      <CashActions payment={payment} />
      {holdsMoney(state) && refundable(payment, refunds) > 0 && (
        <Allowed to={refundPath(reference)}>
          <br />
          <TouchLink href={refundPath(reference)}>Refund</TouchLink>
        </Allowed>
      )}
    </div>
  );
}

const renderPayments = (
  services: Services,
  payments: readonly Payment[],
  refunds: readonly Refund[],
): ReactNode => (
  <>
    <h2>Payments</h2>
    {payments.length === 0 ? (
      <p>No payment has been started yet.</p>
    ) : (
      <Table
        caption="In the order of their start"
        heads={['State', 'Amount', 'By', 'Started', 'Reference']}
        rows={payments.map((payment) => [
          renderState(payment, refunds),
          formatPaise(payment.amountPaise),
          paymentMethodText(services, payment),
          <Times createdAt={payment.createdAt} changedAt={payment.changedAt} />,
          payment.reference,
        ])}
      />
    )}
  </>
);

const MAX_LOG_LINES = 50;

type Event = readonly [at: number, what: string, who: string];

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

/** The events of a payment. The change log has the requests for refunds; these are their results. */
function paymentEvents(services: Services, payment: Payment, refunds: readonly Refund[]): Event[] {
  const { amountPaise, method, createdAt, events, provider, reference } = payment;
  const what = `Payment of ${formatPaise(amountPaise)}`;
  const reporter = providersOf(services).get(provider)?.isPaidAtDoor ? 'Shop' : 'Payment provider';
  const paidAt = events.findIndex(({ state }) => state === 'paid');
  // What follows the payment, the shop did: it cancelled the order, or took that back.
  const whoAt = (index: number) => (paidAt >= 0 && index > paidAt ? 'Shop' : reporter);
  return [
    [createdAt, `${what} started: ${method}`, 'Customer'],
    // The refunds below show a state of 'refunded' already.
    ...events.flatMap(({ state, at }, index): Event[] =>
      state === 'refunded' ? [] : [[at, `${what}: ${STATE_NAMES[state]}`, whoAt(index)]],
    ),
    ...refunds
      .filter((refund) => refund.reference === reference && refund.state !== 'refunding')
      .map(({ state, paise, words, changedAt, byHand }): Event => {
        const text = `${REFUND_NAMES[state]}: ${formatPaise(paise)} ${words}`.trim();
        return [changedAt, text, byHand ? 'Shop' : reporter];
      }),
  ];
}

export async function showOrder(
  context: AdminContext,
  services: Services,
  state: FormState & Partial<Shown> = {},
): Promise<Response> {
  const order = await requireOrder(services.db, idOf(context));
  const { number, shownNumber, status, createdAt, totalPaise } = order;
  const parcel = toTrackingDto(order);
  const [items, extras, payments, returns] = await Promise.all([
    itemsOf(services.db, [number]),
    extrasOf(services.db, [number]),
    paymentsOf(services.db, number),
    returnsOf(services.db, [number]),
  ]);
  const refunds = await refundsOf(services.db, payments);
  const undelivered = await undeliveredNotice(services.db, [
    order.id,
    ...[...payments, ...refunds].map(({ reference }) => reference),
    ...returns.map((each) => each.id),
  ]);
  const warnings = transitionsOf(status).atOnce.includes('ship') ? shippingWarnings(payments, refunds) : [];
  const log = await readChanges(services.db, { who: '', type: 'order', id: order.id }, MAX_LOG_LINES, 0);
  const history: Event[] = [
    [createdAt, 'Placed', 'Customer'],
    ...payments.flatMap((payment) => paymentEvents(services, payment, refunds)),
    ...log.toReversed().map((row): Event => [row.at, logText(row), row.who]),
  ];
  return showPage(context, {
    title: `Order ${shownNumber}`,
    content: (
      <>
        {state.notice}
        {undelivered}
        <p>
          <StatusBadge status={status} /> <Time at={createdAt} />, {formatPaise(totalPaise)}:{' '}
          {moneyOf(order).label}
        </p>
        {warnings.length > 0 && (
          <Notice id="warnings" title="Look at its payment before you ship it">
            <p>
              <Lines of={[...warnings, LOSS]} />
            </p>
          </Notice>
        )}
        {order.isToConfirm === 1 && (
          <Notice title="To confirm before you pack it">
            <p>
              It is paid in cash, and the customer has not confirmed the email {order.email}. Call{' '}
              {order.address.phone}.
            </p>
            <PostForm action={`${orderPath(order.id)}/called`}>
              <Button>Called: it is meant</Button>
            </PostForm>
          </Notice>
        )}
        {parcel && <p>Tracking number: {trackingText(parcel)}</p>}
        {returns.map((own) => (
          <p key={own.id}>
            <TouchLink href={returnPath(own.id)}>Return</TouchLink> {STATE_LABELS[own.state]}, requested{' '}
            <Time at={own.createdAt} />
          </p>
        ))}
        {renderTransitions(order, state, warnings)}
        <h2>Items</h2>
        <Table
          caption="What was ordered"
          heads={['Item', 'Pieces', 'Price', 'Sum']}
          rows={(items.get(number) ?? []).map((item) => [
            <Lines of={[item.title, optionsText(item)]} />,
            String(item.quantity),
            formatPaise(item.unitPaise),
            formatPaise(item.unitPaise * item.quantity),
          ])}
        />
        <p>
          <Lines
            of={breakdownLines({ lines: order.amounts, total: totalPaise }).map(
              (line) => `${line.name} ${shownAmount(line)}`,
            )}
          />
          <strong className="block">Total {formatPaise(totalPaise)}</strong>
        </p>
        {renderCustomer(order, shownExtras(extras.get(number), 'staff'))}
        {renderPayments(services, payments, refunds)}
        <h2>History</h2>
        <Table
          caption="Newest first"
          heads={['When', 'What', 'Who']}
          rows={history
            .toSorted(([one], [other]) => one - other)
            .toReversed()
            .map(([at, ...cells]) => [<Time at={at} />, ...cells])}
        />
      </>
    ),
    status: formStatus(state),
  });
}

export const ORDER_PAGE: AdminPage = {
  method: 'GET',
  path: '/orders/:id',
  access: 'orders',
  handle: (context, services) => showOrder(context, services),
};
