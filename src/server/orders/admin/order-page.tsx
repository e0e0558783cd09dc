import { Fragment, type ReactNode } from 'react';
import { carrierName } from '#domain/carrier.ts';
import { formatPaise, toRupees } from '#domain/money.ts';
import { addressLines, trackingText } from '#domain/order.ts';
import { breakdownLines, lineAmount, shownAmount } from '#domain/order-amounts.ts';
import { isCancellable } from '#domain/order-status.ts';
import { formVersion } from '#server/admin/form-version.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { orderPath, paymentPath, refundPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  LinkButton,
  Row,
  StatusBadge,
  Table,
  Time,
  Times,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import { undeliveredNotice } from '#server/email/pages.tsx';
import { Refusal } from '#server/http/refusal.ts';
import {
  allows,
  lastTransition,
  plainTransitions,
  TRANSITION_NAMES,
  transitionRow,
} from '#server/orders/apply-transition.ts';
import {
  returnPath,
  returnsOf,
  STATE_LABELS,
  type StoredReturn,
} from '#server/orders/returns/stored-returns.ts';
import { toTrackingDto } from '#server/orders/stored-orders.ts';
import { CashActions } from '#server/payments/admin/cash-pages.tsx';
import {
  attentionTexts,
  type PaymentRecord,
  paymentNotes,
  paymentsOf,
  STATE_NAMES,
} from '#server/payments/admin/payment-records.ts';
import { REFUND_NAMES } from '#server/payments/admin/refund-pages.tsx';
import { extrasOf, type ShownExtra, shownExtras } from '#server/payments/order-extras.ts';
import { CASH_NAME } from '#server/payments/providers/cash/cash.ts';
import { paymentMethodText } from '#server/payments/providers/table.ts';
import {
  type Dispute,
  holdsMoney,
  moneyOf,
  type Refund,
  receivedPaise,
  refundable,
} from '#server/payments/stored-refunds.ts';
import { statusOf } from '#server/services/order-status.ts';
import type { Services } from '#server/services/services.ts';
import { trackingForm } from './forms.ts';
import { historyOf } from './history.tsx';
import { type ListedOrder, ordersById } from './listed-orders.ts';
import { itemsOf, type OrderedItem } from './order-items.ts';

/** The order in the request's path. @throws Refusal 404 */
export async function requireOrder(context: AdminContext, services: Services): Promise<ListedOrder> {
  const [order] = await ordersById(services.db, [context.req.param('id') ?? '']);
  if (!order) throw new Refusal(404, 'There is no such order.');
  return order;
}

const renderImage = ({ image: address }: OrderedItem): ReactNode =>
  address !== '' && (
    <img
      className="flex-none rounded-input bg-mist object-contain"
      src={address}
      alt=""
      width="56"
      height="56"
      loading="lazy"
    />
  );

const renderItem = (item: OrderedItem) => [
  <div className="flex gap-3">
    {renderImage(item)}
    <div>
      {item.title}
      {item.options.map((option) => (
        <Fragment key={option}>
          <br />
          {option}
        </Fragment>
      ))}
    </div>
  </div>,
  String(item.quantity),
  formatPaise(item.unitPaise),
  formatPaise(lineAmount({ price: toRupees(item.unitPaise), quantity: item.quantity })),
];

/** A `tel:` link takes only digits and a plus. */
const telephone = (phone: string): ReactNode => (
  <TouchLink href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</TouchLink>
);

const renderCustomer = (
  { id, status, address, email }: ListedOrder,
  extras: readonly ShownExtra[],
): ReactNode => (
  <>
    <h2>Address</h2>
    <p>
      {addressLines(address).map((line) => (
        <Fragment key={line}>
          {line}
          <br />
        </Fragment>
      ))}
      {telephone(address.phone)}
    </p>
    {isCancellable({ status }) && (
      <Allowed to={`${orderPath(id)}/correct`}>
        <LinkButton look="quiet" href={`${orderPath(id)}/correct`}>
          Correct the address or a note
        </LinkButton>
      </Allowed>
    )}
    <p>
      Customer:{' '}
      {email === null ? (
        'the account was deleted'
      ) : (
        <TouchLink href={`mailto:${encodeURIComponent(email)}`}>{email}</TouchLink>
      )}
      {extras.map(({ name, label, value }) => (
        <span key={name} className="block whitespace-pre-line">
          {label}: <b>{value}</b>
        </span>
      ))}
    </p>
  </>
);

/** What the form versions of an order cover. */
export const statusPart = (status: number) => ({ Status: statusOf(status).label });

export const trackingPart = ({ tracking, carrier }: Pick<ListedOrder, 'tracking' | 'carrier'>) => ({
  Carrier: carrierName(carrier),
  'Tracking number': tracking ?? '',
});

/** A button for each transition without confirmation. The tracking number can be corrected after shipping. */
function renderTransitions(order: ListedOrder, { typed, mistakes }: FormState): ReactNode {
  const { id, status, tracking, carrier } = order;
  const field = Object.entries(trackingForm.fields).map(([name, each]) => (
    <FormField
      key={name}
      name={name}
      field={each}
      typed={typed ?? { tracking: tracking ?? '', carrier: carrierName(carrier) }}
      mistakes={mistakes}
    />
  ));
  const forms = plainTransitions(status).map((transition) => {
    const { button, needsTracking } = transitionRow(transition);
    return (
      <PostForm
        key={transition}
        className="mb-4 grid items-end gap-3 md:grid-cols-[minmax(0,320px)_auto_auto] md:justify-start"
        action={`${orderPath(id)}/${transition}`}
        noValidate
        hidden={formVersion(statusPart(status))}
      >
        {needsTracking && field}
        <Button>{button}</Button>
      </PostForm>
    );
  });
  const correctTracking = (
    <PostForm
      className="mb-4 grid items-end gap-3 md:grid-cols-[minmax(0,320px)_auto_auto] md:justify-start"
      action={`${orderPath(id)}/tracking`}
      noValidate
      hidden={formVersion(trackingPart(order))}
    >
      {field}
      <Button look="quiet">Save the number</Button>
    </PostForm>
  );
  const asked = TRANSITION_NAMES.filter(
    (name) => transitionRow(name).needsConfirmation && allows(status, name),
  ).map((name) => (
    <LinkButton key={name} look="quiet" href={`${orderPath(id)}/${name}`}>
      {transitionRow(name).button} …
    </LinkButton>
  ));
  return (
    <>
      <Allowed to={`${orderPath(id)}/tracking`} method="POST">
        {forms}
        {statusOf(status).hasShipped && correctTracking}
      </Allowed>
      <Row>
        <LinkButton look="quiet" href={`${orderPath(id)}/slip`}>
          Packing slip
        </LinkButton>
        {asked}
        {lastTransition(order) && (
          <LinkButton look="quiet" href={`${orderPath(id)}/take-back`}>
            Take back: {statusOf(status).label} …
          </LinkButton>
        )}
      </Row>
    </>
  );
}

const ofPayment = <T extends Refund | Dispute>({ reference }: PaymentRecord, all: readonly T[]): T[] =>
  all.filter((each) => each.reference === reference);

/** An owner can refund a payment, or mark cash as collected. */
function renderMoneyActions(
  record: PaymentRecord,
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
): ReactNode {
  const { reference, state } = record;
  const { amountPaise, orderStatus } = record;
  const isShipped = statusOf(orderStatus).hasShipped ?? false;
  const cash = { reference, state, amountPaise, isShipped };
  if (state === 'to_collect') return <CashActions {...cash} />;
  return (
    <>
      {state === 'paid' && record.provider === CASH_NAME && (
        <>
          <br />
          <CashActions {...cash} />
        </>
      )}
      {holdsMoney(state) && refundable(receivedPaise(record), refunds, ofPayment(record, disputes)) > 0 && (
        <Allowed to={refundPath(reference)}>
          <br />
          <TouchLink href={refundPath(reference)}>Refund</TouchLink>
        </Allowed>
      )}
    </>
  );
}

function renderPayments(
  services: Services,
  payments: readonly PaymentRecord[],
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
): ReactNode {
  if (payments.length === 0)
    return (
      <>
        <h2>Payments</h2>
        <p>No payment has been started yet.</p>
      </>
    );
  const rows = payments.map((record) => {
    const { reference, state, amountPaise, createdAt, changedAt } = record;
    const texts = attentionTexts(record, refunds, disputes);
    const attention = texts.length > 0 && (
      <>
        <br />
        {texts.join(' ')} <TouchLink href={paymentPath(reference)}>Resolve</TouchLink>
      </>
    );
    const notes = paymentNotes(record, disputes).map((note) => (
      <Fragment key={note}>
        <br />
        {note}
      </Fragment>
    ));
    const resolved = record.resolvedAt !== null && (
      <>
        <br />
        Resolved: {record.note}
      </>
    );
    const own = ofPayment(record, refunds);
    const refunded = own.map((refund) => (
      <Fragment key={refund.key}>
        <br />
        {REFUND_NAMES[refund.state]}: {formatPaise(refund.paise)} {refund.words}
      </Fragment>
    ));
    return [
      <div>
        <b className="whitespace-nowrap">{STATE_NAMES[state]}</b>
        {attention}
        {resolved}
        {refunded}
        {notes}
        {renderMoneyActions(record, own, disputes)}
      </div>,
      formatPaise(amountPaise),
      paymentMethodText(services, record),
      <Times createdAt={createdAt} changedAt={changedAt} />,
      reference,
    ];
  });
  return (
    <>
      <h2>Payments</h2>
      <Table
        caption="In the order of their start"
        heads={['State', 'Amount', 'By', 'Started', 'Reference']}
        rows={rows}
      />
    </>
  );
}

const renderReturns = (returns: readonly StoredReturn[]): ReactNode =>
  returns.map(({ id, state, createdAt }) => (
    <p key={id}>
      <TouchLink href={returnPath(id)}>Return</TouchLink> {STATE_LABELS[state]}, requested{' '}
      <Time at={createdAt} />
    </p>
  ));

export async function showOrder(
  context: AdminContext,
  services: Services,
  order: ListedOrder,
  state: FormState = {},
): Promise<Response> {
  const { number, shownNumber, status, createdAt, totalPaise } = order;
  const parcel = toTrackingDto(order);
  const [items, extras, payments, returns] = await Promise.all([
    itemsOf(services.db, [number]),
    extrasOf(services.db, [number]),
    paymentsOf(services.db, number),
    returnsOf(services.db, [number]),
  ]);
  const [refunds, disputes] = await moneyOf(
    services.db,
    payments.map(({ reference }) => reference),
  );
  const undelivered = await undeliveredNotice(services.db, [
    order.id,
    ...[...payments, ...refunds].map(({ reference }) => reference),
    ...returns.map((each) => each.id),
  ]);
  const history = await historyOf(services, order, payments, refunds);
  const { notice, mistakes } = state;
  return showPage(context, {
    title: `Order ${shownNumber}`,
    content: (
      <>
        {notice ?? ''}
        {undelivered}
        <p>
          <StatusBadge status={status} /> <Time at={createdAt} />, {formatPaise(totalPaise)}
        </p>
        {parcel && <p>Tracking number: {trackingText(parcel)}</p>}
        {renderReturns(returns)}
        {renderTransitions(order, state)}
        <h2>Items</h2>
        <Table
          caption="What was ordered"
          heads={['Item', 'Pieces', 'Price', 'Sum']}
          rows={(items.get(number) ?? []).map(renderItem)}
        />
        <p>
          {breakdownLines({ lines: order.amounts, total: totalPaise }).map((line) => (
            <Fragment key={line.name}>
              {line.name} {shownAmount(line)}
              <br />
            </Fragment>
          ))}
          <strong>Total {formatPaise(totalPaise)}</strong>
        </p>
        {renderCustomer(order, shownExtras(extras.get(number), 'staff'))}
        {renderPayments(services, payments, refunds, disputes)}
        <h2>History</h2>
        <Table caption="Newest first" heads={['When', 'What', 'Who']} rows={history} />
      </>
    ),
    status: notice !== undefined ? 409 : mistakes ? 422 : 200,
  });
}

export const ORDER_PAGE: AdminPage = {
  method: 'GET',
  path: '/orders/:id',
  access: 'orders',
  handle: async (context, services) => showOrder(context, services, await requireOrder(context, services)),
};
