import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import type { ReturnState } from '#domain/order-history.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { Form, PostForm } from '#server/admin/forms/Form.tsx';
import { type FormState, textLines } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, Lines, Notice, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import { findRecipient } from '#server/customers/stored-customers.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  itemsOf,
  type OrderItemRow,
  optionsText,
  ordersByNumber,
  type StoredOrder,
} from '#server/orders/stored-orders.ts';
import { refundTable } from '#server/payments/admin/payment-pages.tsx';
import { type Refund, refundsOfReturns } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { RETURN_EMAILS } from './emails.ts';
import {
  findReturn,
  openReturns,
  refundReturn,
  returnPath,
  STATE_LABELS,
  type StoredReturn,
} from './stored-returns.ts';

/** The length of the list. More appear as these are resolved. */
const SHOWN = 50;

interface Found {
  readonly own: StoredReturn;
  readonly order: StoredOrder;
  readonly lines: readonly { readonly item: OrderItemRow; readonly quantity: number }[];
  readonly refunds: readonly Refund[];
}

const isOver = (state: ReturnState): boolean => state === 'refused' || state === 'refunded';

async function requireReturn(context: AdminContext, { db }: Services): Promise<Found> {
  const own = await findReturn(db, context.req.param('id') ?? '');
  const [order] = own ? await ordersByNumber(db, [own.orderNumber]) : [];
  if (!own || !order) throw new Refusal(404, 'There is no such return.');
  const items = (await itemsOf(db, [order.number])).get(order.number) ?? [];
  const lines = own.lines.flatMap(({ line, quantity }) =>
    items.filter(({ position }) => String(position) === line).map((item) => ({ item, quantity })),
  );
  return { own, order, lines, refunds: await refundsOfReturns(db, [own.id]) };
}

const answerForm = defineForm(
  v.object({
    decision: v.picklist(['accepted', 'refused'], 'Choose an answer'),
    answer: v.pipe(textLines(500), v.nonEmpty('must not be empty')),
  }),
  {
    decision: {
      label: 'Answer',
      control: 'radios',
      options: [
        { value: 'accepted', label: 'Accept' },
        { value: 'refused', label: 'Refuse' },
      ],
    },
    answer: {
      label: 'Message to the customer',
      hint: 'Where to send the goods, or that they may be kept; or why not. It goes out as an email.',
      control: 'textarea',
    },
  },
);

const amountForm = defineForm(v.object({ amount: RupeesTextSchema }), {
  amount: { label: 'Amount to refund', control: 'text', inputmode: 'decimal', autocomplete: 'off' },
});

function renderForms({ own, lines, refunds }: Found, state: FormState): ReactNode {
  const price = lines.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0);
  const path = returnPath(own.id);
  if (own.state === 'asked')
    return <Form fields={answerForm.fields} action={`${path}/answer`} submit="Send the answer" {...state} />;
  if (isOver(own.state) || refunds.some(({ state: made }) => made === 'refunding')) return '';
  return (
    <>
      {own.state === 'accepted' && (
        <PostForm className="mb-4" action={`${path}/received`}>
          <Button>The goods have arrived</Button>
        </PostForm>
      )}
      <Allowed to={`${path}/refund`} method="POST" otherwise={<p>An owner makes the refund.</p>}>
        <h2>Refund</h2>
        <p>
          The goods cost {formatPaise(price)}. Add what was paid for the delivery, if you refund that as well.
          Cash is paid by hand first.
        </p>
        <Form
          fields={amountForm.fields}
          action={`${path}/refund`}
          submit="Refund"
          typed={{ amount: rupeesText(toRupees(price)) }}
          {...state}
        />
      </Allowed>
    </>
  );
}

async function show(context: AdminContext, services: Services, found: Found, state: FormState = {}) {
  const isErased = (await findRecipient(services.db, found.order.customerId)) === undefined;
  const { own, order, lines, refunds } = found;
  const rows = lines.map(({ item, quantity }) => [
    <Lines of={[item.title, optionsText(item)]} />,
    String(quantity),
    String(item.quantity),
  ]);
  return showPage(context, {
    title: `Return: order ${order.shownNumber}`,
    content: (
      <>
        <p>
          <b>{STATE_LABELS[own.state]}</b>, requested <Time at={own.createdAt} />.{' '}
          <a href={orderPath(order.id)}>Order {order.shownNumber}</a>
        </p>
        {isErased && (
          <Notice>
            <p>The account was deleted, so the customer is not written to. {found.order.address.phone}</p>
          </Notice>
        )}
        <p>Why: {own.reason}</p>
        {own.answer !== '' && <p>Our answer: {own.answer}</p>}
        <Table caption="What comes back" heads={['Item', 'Pieces', 'Bought']} rows={rows} />
        {refundTable(refunds)}
        {renderForms(found, state)}
      </>
    ),
    status: state.mistakes ? 422 : 200,
  });
}

/**
 * Makes a transition from the state for which the form was shown, with its log entry, and with an email if there is an
 * answer. @throws Refusal 409 if someone else was first
 */
const move = (
  context: AdminContext,
  services: Services,
  { own, order }: Found,
  from: ReturnState,
  state: 'accepted' | 'refused' | 'received',
  answer = '',
): Promise<Response> =>
  change(context, services, async (transaction, log) => {
    const set = { state, changedAt: services.clock(), ...(answer ? { answer } : {}) };
    const update = q.updateTable('returns').set(set).where('id', '=', own.id).where('state', '=', from);
    if ((await transaction.run(update)) === 0) {
      const now = await findReturn(transaction, own.id);
      throw new Refusal(
        409,
        `Someone else was first: the return is ${STATE_LABELS[now?.state ?? own.state]}. Nothing was changed.`,
      );
    }
    if (state !== 'received')
      await queueEmail(transaction, services, RETURN_EMAILS[state], order.id, { answer });
    await log({
      action: 'answered a return',
      target: ['order', order.id],
      from: { return: STATE_LABELS[from] },
      to: { return: STATE_LABELS[state], ...(answer ? { answer } : {}) },
    });
    return { to: returnPath(own.id), message: `The return is ${STATE_LABELS[state]} now.` };
  });

async function answer(context: AdminContext, services: Services): Promise<Response> {
  const found = await requireReturn(context, services);
  const parsed = parseForm(answerForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, found, parsed);
  return move(context, services, found, 'asked', parsed.values.decision, parsed.values.answer);
}

async function refund(context: AdminContext, services: Services): Promise<Response> {
  const found = await requireReturn(context, services);
  const parsed = parseForm(amountForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, found, parsed);
  const { state } = found.own;
  if (state === 'asked' || isOver(state))
    throw new Refusal(409, `The return is ${STATE_LABELS[state]}. Nothing was refunded.`);
  const paise = toPaise(parsed.values.amount);
  return change(context, services, async (transaction, log) => {
    const { own, order } = found;
    const who = staffOf(context).email;
    const problem = await refundReturn(services, transaction, order.id, own.id, paise, who);
    if (problem !== undefined)
      throw new ChangeAborted(() =>
        show(context, services, found, { typed: parsed.typed, mistakes: new Map([['amount', problem]]) }),
      );
    await log({
      action: 'refunded a return',
      target: ['order', order.id],
      from: { return: STATE_LABELS[state] },
      to: { amount: formatPaise(paise) },
    });
    const message = `${formatPaise(paise)} will be refunded. The return is done once that has succeeded.`;
    return { to: returnPath(own.id), message };
  });
}

async function list(context: AdminContext, services: Services): Promise<Response> {
  const open = await openReturns(services.db, SHOWN);
  const orders = await ordersByNumber(
    services.db,
    open.map(({ orderNumber }) => orderNumber),
  );
  const rows = open.map(({ id, orderNumber, state, reason, createdAt }) => [
    <TouchLink href={returnPath(id)}>
      {orders.find(({ number }) => number === orderNumber)?.shownNumber}
    </TouchLink>,
    STATE_LABELS[state],
    reason,
    <Time at={createdAt} />,
  ]);
  return showPage(context, {
    title: 'Open returns',
    content:
      rows.length === 0 ? (
        <p>There are no open returns.</p>
      ) : (
        <Table
          caption="The longest waiting first"
          heads={['Order', 'State', 'Why', 'Requested']}
          rows={rows}
        />
      ),
  });
}

const access = 'orders';

export const RETURN_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/returns', access, handle: list },
  {
    method: 'GET',
    path: '/orders/returns/:id',
    access,
    handle: async (context, services) => show(context, services, await requireReturn(context, services)),
  },
  { method: 'POST', path: '/orders/returns/:id/answer', access, handle: answer },
  {
    method: 'POST',
    path: '/orders/returns/:id/received',
    access,
    handle: async (context, services) =>
      move(context, services, await requireReturn(context, services), 'accepted', 'received'),
  },
  { method: 'POST', path: '/orders/returns/:id/refund', access: 'payments', handle: refund },
];
