import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import type { ReturnState } from '#domain/order-history.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { type Fields, type FormState, textLines } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Lines, Notice, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import { findRecipient } from '#server/customers/stored-customers.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { RETURN_EMAILS } from '#server/fulfilment/emails.ts';
import { Refusal } from '#server/http/refusal.ts';
import { movementsOf, refundsOfReturn } from '#server/ledger/movements.ts';
import { itemsOf, lockOrder, optionsText, ordersByNumber } from '#server/orders/stored-orders.ts';
import { refundTable } from '#server/payments/admin/money-section.tsx';
import {
  byHandOf,
  HOW,
  HOW_FIELDS,
  howErrors,
  howValues,
  tooMuchText,
} from '#server/payments/admin/refund-pages.tsx';
import { refundOrder } from '#server/payments/refund-order.ts';
import type { Services } from '#server/services/services.ts';
import { giveBack } from '#server/stock/stored-stock.ts';
import {
  countOpenReturns,
  findReturn,
  openReturns,
  returnPath,
  STATE_LABELS,
  type StoredReturn,
} from './stored-returns.ts';

/** The length of the list. */
const SHOWN = 50;

const isOver = (state: ReturnState): boolean => state === 'refused' || state === 'refunded';

/** @throws Refusal 404 */
async function requireReturn(context: AdminContext, db: Reader) {
  const own = await findReturn(db, context.req.param('id') ?? '');
  const [order] = own ? await ordersByNumber(db, [own.orderNumber]) : [];
  if (!own || !order) throw new Refusal(404, 'There is no such return.');
  const items = (await itemsOf(db, [order.number])).get(order.number) ?? [];
  const lines = own.lines.flatMap(({ line, quantity }) =>
    items.filter(({ position }) => String(position) === line).map((item) => ({ item, quantity })),
  );
  const refunds = refundsOfReturn(own.id, await movementsOf(db, order.number));
  return { own, order, lines, refunds };
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

const amountForm = defineForm(v.object({ amount: RupeesTextSchema, ...HOW }), {
  amount: { label: 'Amount to refund', control: 'text', inputmode: 'decimal', autocomplete: 'off' },
  ...HOW_FIELDS,
});

const BACK_ON_SALE = {
  backOnSale: { label: 'The goods are back on sale', control: 'checkbox' },
} as const satisfies Fields;

async function show(context: AdminContext, services: Services, state: FormState = {}) {
  const { db } = services;
  const { own, order, lines, refunds } = await requireReturn(context, db);
  const isErased = (await findRecipient(db, order.customerId)) === undefined;
  const price = lines.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0);
  const path = returnPath(own.id);
  const canRefund = !isOver(own.state) && refunds.every(({ state: made }) => made === 'failed');
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
            <p>The account was deleted, so the customer is not written to. {order.address.phone}</p>
          </Notice>
        )}
        <p>Why: {own.reason}</p>
        {own.answer !== '' && <p>Our answer: {own.answer}</p>}
        <Table
          caption="What comes back"
          heads={['Item', 'Pieces', 'Bought']}
          rows={lines.map(({ item, quantity }) => [
            <Lines of={[item.title, optionsText(item)]} />,
            String(quantity),
            String(item.quantity),
          ])}
        />
        {refundTable(refunds)}
        {own.state === 'asked' && (
          <Form fields={answerForm.fields} action={`${path}/answer`} submit="Send the answer" {...state} />
        )}
        {own.state === 'accepted' && canRefund && (
          <Form fields={BACK_ON_SALE} action={`${path}/received`} submit="The goods have arrived" />
        )}
        {own.state !== 'asked' && canRefund && (
          <Allowed to={`${path}/refund`} method="POST" otherwise={<p>An owner makes the refund.</p>}>
            <h2>Refund</h2>
            <p>
              The goods cost {formatPaise(price)}. Add what was paid for the delivery, if you refund that as
              well. Cash is paid by hand first.
            </p>
            <Form
              fields={amountForm.fields}
              action={`${path}/refund`}
              submit="Refund"
              values={{
                amount: rupeesText(toRupees(price)),
                ...howValues(services, { order, movements: await movementsOf(db, order.number) }),
              }}
              {...state}
            />
          </Allowed>
        )}
      </>
    ),
    status: state.errors ? 422 : 200,
  });
}

const someoneWasFirst = ({ state }: StoredReturn): Refusal =>
  new Refusal(409, `Someone else was first: the return is ${STATE_LABELS[state]}. Nothing was changed.`);

/**
 * Makes a transition from the state for which the form was shown, with its log entry, and with an email if there is an
 * answer. @throws Refusal 409 if someone else was first
 */
const move = (
  context: AdminContext,
  services: Services,
  from: ReturnState,
  state: 'accepted' | 'refused' | 'received',
  answer = '',
): Promise<Response> =>
  change(context, services, async (transaction, log) => {
    const { own, order, lines } = await requireReturn(context, transaction);
    const set = { state, changedAt: services.clock(), ...(answer ? { answer } : {}) };
    const update = q.updateTable('returns').set(set).where('id', '=', own.id).where('state', '=', from);
    if ((await transaction.run(update)) === 0) {
      const { own: now } = await requireReturn(context, transaction);
      throw someoneWasFirst(now);
    }
    if (state !== 'received')
      await queueEmail(transaction, services, RETURN_EMAILS[state], order.id, { answer });
    const isBackOnSale = state === 'received' && context.get('form').has('backOnSale');
    if (isBackOnSale) {
      await lockOrder(transaction, order.id);
      const goods = lines.map(({ item: { productId, size }, quantity }) => ({
        productId,
        size: size ?? '',
        pieces: quantity,
      }));
      await giveBack(transaction, order.number, goods);
    }
    await log({
      action: 'answered a return',
      target: ['order', order.id],
      from: { return: STATE_LABELS[from] },
      to: {
        return: STATE_LABELS[state],
        ...(answer && { answer }),
        ...(isBackOnSale && { goods: 'back on sale' }),
      },
    });
    return { to: returnPath(own.id), message: `The return is ${STATE_LABELS[state]} now.` };
  });

async function answer(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(answerForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  return move(context, services, 'asked', parsed.output.decision, parsed.output.answer);
}

/** Refunds a return. It is done once a refund of it has succeeded. */
async function refund(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(amountForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  const paise = toPaise(parsed.output.amount);
  return change(context, services, async (transaction, log) => {
    const { order } = await requireReturn(context, transaction);
    await lockOrder(transaction, order.id);
    const { own, refunds } = await requireReturn(context, transaction);
    if (own.state === 'asked' || isOver(own.state) || refunds.some(({ state }) => state !== 'failed'))
      throw someoneWasFirst(own);
    const refuse = (problem: string) =>
      new ChangeAborted(() =>
        show(context, services, { values: parsed.values, errors: new Map([['amount', problem]]) }),
      );
    const movements = await movementsOf(transaction, order.number);
    const errors = howErrors(services, { order, movements }, parsed.output);
    if (errors) throw new ChangeAborted(() => show(context, services, { values: parsed.values, errors }));
    if (order.heldPaise === 0)
      throw refuse('No payment has paid for this order. Mark the cash as collected first.');
    const failed = refunds.findLast(({ needsReview }) => needsReview === 1);
    const refusal = await refundOrder(transaction, services, order.number, {
      paise,
      reason: 'Goods were returned.',
      lines: own.lines,
      recordedBy: staffOf(context).email,
      returnId: own.id,
      ...byHandOf(parsed.output),
      ...(failed ? { retryOf: failed.id } : {}),
    });
    if (refusal) throw refuse(tooMuchText(parsed.output, refusal.left));
    await log({
      action: 'refunded a return',
      target: ['order', order.id],
      from: { return: STATE_LABELS[own.state] },
      to: { amount: formatPaise(paise) },
    });
    const message = `${formatPaise(paise)} will be refunded. The return is done once that has succeeded.`;
    return { to: returnPath(own.id), message };
  });
}

async function list(context: AdminContext, { db }: Services): Promise<Response> {
  const [open, count] = await Promise.all([openReturns(db, SHOWN), countOpenReturns(db)]);
  const orders = await ordersByNumber(
    db,
    open.map(({ orderNumber }) => orderNumber),
  );
  const numbers = new Map(orders.map(({ number, shownNumber }) => [number, shownNumber]));
  const rows = open.map(({ id, orderNumber, state, reason, createdAt }) => [
    <TouchLink href={returnPath(id)}>{numbers.get(orderNumber)}</TouchLink>,
    STATE_LABELS[state],
    reason,
    <Time at={createdAt} />,
  ]);
  const heads = ['Order', 'State', 'Why', 'Requested'];
  const more = count > SHOWN ? `; ${SHOWN} of them here, and more as these are resolved` : '';
  return showPage(context, {
    title: 'Open returns',
    content:
      rows.length === 0 ? (
        <p>There are no open returns.</p>
      ) : (
        <Table caption={`${count} open, the longest waiting first${more}`} heads={heads} rows={rows} />
      ),
  });
}

const page = (
  method: AdminPage['method'],
  path: string,
  handle: AdminPage['handle'],
  access: AdminPage['access'] = 'orders',
): AdminPage => ({ method, path: `/orders/returns${path}`, access, handle });

export const RETURN_PAGES: readonly AdminPage[] = [
  page('GET', '', list),
  page('GET', '/:id', (context, services) => show(context, services)),
  page('POST', '/:id/answer', answer),
  page('POST', '/:id/received', (context, services) => move(context, services, 'accepted', 'received')),
  page('POST', '/:id/refund', refund, 'payments'),
];
