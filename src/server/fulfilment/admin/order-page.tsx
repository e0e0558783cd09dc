import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { addressLines, trackingText } from '#domain/order.ts';
import { type Amounts, breakdownLines, shownAmount } from '#domain/order-amounts.ts';
import { isCancellable } from '#domain/order-status.ts';
import { tidyCode } from '#domain/text.ts';
import { type ChangeRow, readChanges } from '#server/admin/change-log.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import { type FormState, formStatus } from '#server/admin/forms/field.ts';
import type { Shown } from '#server/admin/forms/record-editor.tsx';
import { staffStatusOf } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { BATCHES, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Button,
  Lines,
  LinkButton,
  Notice,
  StatusBadge,
  Table,
  Time,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import { addNote, notesOnOrder, StaffNotes } from '#server/customers/staff-notes.tsx';
import type { Reader } from '#server/db/database.ts';
import { undeliveredNotice } from '#server/email/pages.tsx';
import { transitionsOf } from '#server/fulfilment/apply-transition.ts';
import { returnPath, returnsOf, STATE_LABELS } from '#server/fulfilment/returns/stored-returns.ts';
import { Refusal } from '#server/http/refusal.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { extrasOf, NAMING_EXTRAS, type ShownExtra, shownExtras } from '#server/orders/order-extras.ts';
import {
  itemsOf,
  type OrderItemRow,
  optionsText,
  toParcelDtos,
  toTrackingDto,
} from '#server/orders/stored-orders.ts';
import {
  type Money,
  moneyEvents,
  moneySubjects,
  readMoney,
  renderMoney,
} from '#server/payments/admin/money-section.tsx';
import { shippingWarnings } from '#server/payments/attention.ts';
import type { Services } from '#server/services/services.ts';
import { isToUnpack, type ListedOrder, orderById, readFilter } from './listed-orders.ts';
import { renderTransitions } from './order-actions.tsx';
import { renderBlocks, renderKnown } from './other-orders.tsx';

/** Whether the staff member sees what was paid and by whom, and not only what packing needs. */
export const servesCustomers = (context: AdminContext): boolean =>
  context.get('mayOpen')(`${orderPath('id')}/correct`);

/** Reads the filter of a request. @throws Refusal 403 if the role may not search by money, customer or email */
export function requestedFilter(context: AdminContext, get: (name: string) => unknown) {
  const read = readFilter(get);
  const { money, customer, text = '' } = read.values;
  if (!servesCustomers(context) && (money || customer || tidyCode(text).includes('@')))
    throw new Refusal(403, 'Your role does not search by payments or customers. Ask an owner.');
  return read;
}

/** What a slip says of the money of an order. @param seesAll whether its reader may know what became of it */
export function doorText({ money, toPayPaise }: ListedOrder, seesAll: boolean): string {
  if (money === 'to_collect') return `Collect ${formatPaise(toPayPaise)}`;
  if (seesAll) return MONEY_LABELS[money];
  return ['unpaid', 'partly_paid', 'nothing'].includes(money) ? 'Not paid' : 'Paid';
}

export const idOf = (context: AdminContext): string => context.req.param('id') ?? '';

/** @throws Refusal 404 */
export async function requireOrder(db: Reader, id: string): Promise<ListedOrder> {
  const order = await orderById(db, id);
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

interface GoodsProps {
  readonly caption: string;
  readonly items: readonly Pick<OrderItemRow, 'title' | 'size' | 'color' | 'quantity' | 'unitPaise'>[];
  /** Without them, no prices are shown. */
  readonly amounts: Amounts | undefined;
  readonly children?: ReactNode;
}

/** The items of an order, and what they amount to. */
export const Goods = ({ caption, items, amounts, children }: GoodsProps) => (
  <>
    <Table
      caption={caption}
      heads={['Item', 'Pieces', ...(amounts ? ['Price', 'Sum'] : [])]}
      rows={items.map((item) => [
        <Lines of={[item.title, optionsText(item)]} />,
        String(item.quantity),
        ...(amounts ? [formatPaise(item.unitPaise), formatPaise(item.unitPaise * item.quantity)] : []),
      ])}
    />
    {amounts && (
      <p>
        <Lines of={breakdownLines(amounts).map((line) => `${line.name} ${shownAmount(line)}`)} />
        <strong className="block">Total {formatPaise(amounts.total)}</strong>
        {children}
      </p>
    )}
  </>
);

const renderCustomer = (
  { id, status, address, email, customerId, invoiceNumber, invoicedOn }: ListedOrder,
  extras: readonly ShownExtra[],
  seesAll: boolean,
): ReactNode => (
  <>
    <h2>Address</h2>
    <p>
      <Lines of={addressLines(address)} />
      <br />
      <TouchLink href={`tel:${address.phone.replaceAll(/[^\d+]/g, '')}`}>{address.phone}</TouchLink>
    </p>
    {isCancellable({ status }) && (
      <LinkButton href={`${orderPath(id)}/correct`}>Correct the address or a note</LinkButton>
    )}
    <p>
      {seesAll && 'Customer: '}
      {seesAll &&
        email === null &&
        (customerId === null ? 'no account, no email' : 'the account was deleted')}
      {seesAll && email !== null && (
        <TouchLink href={`mailto:${encodeURIComponent(email)}`}>{email}</TouchLink>
      )}
      {seesAll && email !== null && customerId === null && ', no account'}
      <Extras of={extras} />
    </p>
    {seesAll && extras.some(({ name }) => NAMING_EXTRAS.includes(name)) && (
      <LinkButton href={`${orderPath(id)}/invoice`}>
        GST invoice: {invoiceNumber === null ? 'not sent' : `${invoiceNumber}, sent on ${invoicedOn}`} …
      </LinkButton>
    )}
    {seesAll && customerId !== null && isCancellable({ status }) && (
      <PostForm action={`${BATCHES}/cancel`} hidden={{ customer: customerId, open: 'yes', all: 'yes' }}>
        <Button variant="quiet">Cancel all open orders of this customer</Button>
      </PostForm>
    )}
  </>
);

const MAX_LOG_LINES = 50;

type Event = readonly [at: number, what: string, who: string];

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** In the log: the staff placed an order for a customer. */
export const PLACED = 'placed it for the customer';

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

/** All that happened to an order: its payments, and what the staff and the customer changed. */
async function renderHistory(
  services: Services,
  { id, createdAt }: ListedOrder,
  money: Money,
): Promise<ReactNode> {
  const log = await readChanges(services.db, { who: '', type: 'order', id }, MAX_LOG_LINES, 0);
  const history: Event[] = [
    ...(log.some(({ action }) => action === PLACED) ? [] : [[createdAt, 'Placed', 'Customer'] as const]),
    ...moneyEvents(services, money),
    ...log.toReversed().map((row): Event => [row.at, logText(row), row.who]),
  ];
  return (
    <>
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
  );
}

const LOSS = 'If you ship it now, you may lose the goods and the money.';

export async function showOrder(
  context: AdminContext,
  services: Services,
  state: FormState & Partial<Shown> = {},
): Promise<Response> {
  const order = await requireOrder(services.db, idOf(context));
  const { number, shownNumber, status, createdAt, totalPaise } = order;
  const parcels = toParcelDtos(order) ?? [toTrackingDto(order)].flatMap((parcel) => parcel ?? []);
  const seesAll = servesCustomers(context);
  const [items, extras, money, returns] = await Promise.all([
    itemsOf(services.db, [number]),
    extrasOf(services.db, [number]),
    readMoney(services.db, order),
    returnsOf(services.db, [number]),
  ]);
  const undelivered = await undeliveredNotice(services.db, [order.id, ...moneySubjects(money)]);
  const warnings = transitionsOf(status).atOnce.includes('ship')
    ? shippingWarnings(order, money.movements)
    : [];
  return showPage(context, {
    title: `Order ${shownNumber}`,
    content: (
      <>
        {state.notice}
        {seesAll && undelivered}
        {seesAll && (await renderBlocks(services, order))}
        <p>
          <StatusBadge status={status} /> <Time at={createdAt} />,{' '}
          {seesAll ? `${formatPaise(totalPaise)}: ${MONEY_LABELS[order.money]}` : doorText(order, false)}
        </p>
        {seesAll && warnings.length > 0 && (
          <Notice id="warnings" title="Look at its payment before you ship it">
            <p>
              <Lines of={[...warnings, LOSS]} />
            </p>
          </Notice>
        )}
        {isToUnpack(order) && (
          <Notice id="unpack" title="Cancelled after its slip was printed">
            <p>
              Look whether its parcel is packed, and keep it here. If it has left, or the customer wants it
              after all, take the cancellation back.
            </p>
            <PostForm action={`${orderPath(order.id)}/unpacked`}>
              <Button>The goods are back on the shelf</Button>
            </PostForm>
          </Notice>
        )}
        {order.isToConfirm === 1 && (
          <Notice title="To confirm before you pack it">
            <p>
              It is paid in cash, and the customer has not confirmed the email {seesAll && order.email}.{' '}
              {seesAll ? `Call ${order.address.phone}.` : 'Ask an owner.'}
            </p>
            <PostForm action={`${orderPath(order.id)}/called`}>
              <Button>Called: it is meant</Button>
            </PostForm>
          </Notice>
        )}
        {parcels.map((sent) => (
          <p key={sent.number}>Tracking number: {trackingText(sent)}</p>
        ))}
        {order.parcels.length > 0 && !staffStatusOf(status).hasShipped && <p>A part of it has left.</p>}
        {seesAll &&
          returns.map((own) => (
            <p key={own.id}>
              <TouchLink href={returnPath(own.id)}>Return</TouchLink> {STATE_LABELS[own.state]}, requested{' '}
              <Time at={own.createdAt} />
            </p>
          ))}
        {renderTransitions(order, state, warnings)}
        <h2>Items</h2>
        <Goods
          caption="What was ordered"
          items={items.get(number) ?? []}
          amounts={seesAll ? { lines: order.amounts, total: totalPaise } : undefined}
        />
        {renderCustomer(order, shownExtras(extras.get(number), seesAll ? 'staff' : 'slip'), seesAll)}
        <StaffNotes
          notes={await notesOnOrder(services.db, number)}
          action={`${orderPath(order.id)}/note`}
          isOfOrder
        />
        {seesAll && (await renderKnown(services, order))}
        {seesAll && renderMoney(services, order, money)}
        {seesAll && (await renderHistory(services, order, money))}
      </>
    ),
    status: formStatus(state),
  });
}

async function noteOnOrder(context: AdminContext, services: Services): Promise<Response> {
  const { id, number } = await requireOrder(services.db, idOf(context));
  return addNote(context, services, { orderNumber: number }, ['order', id]);
}

const access = 'orders';

export const ORDER_PAGE: readonly AdminPage[] = [
  { method: 'POST', path: '/orders/:id/note', access, handle: noteOnOrder },
  { method: 'GET', path: '/orders/:id', access, handle: showOrder },
];
