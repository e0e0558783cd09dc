import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
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
import { orderRecipient } from '#server/customers/stored-customers.ts';
import type { Reader } from '#server/db/database.ts';
import { TRACKING, trackingForm } from '#server/fulfilment/admin/order-actions.tsx';
import { goodsOf } from '#server/fulfilment/apply-transition.ts';
import { Refusal } from '#server/http/refusal.ts';
import { wrong } from '#server/ledger/admin/booking.tsx';
import { type Movement, movementsOf, refundsOfReturn } from '#server/ledger/movements.ts';
import { itemsOf, lockOrder, optionsText, ordersByNumber } from '#server/orders/stored-orders.ts';
import { refundTable } from '#server/payments/admin/money-section.tsx';
import { HOW, HOW_FIELDS, howValues, refundAsGiven } from '#server/payments/admin/refund-pages.tsx';
import type { Services } from '#server/services/services.ts';
import { restock } from '#server/stock/stored-stock.ts';
import {
  type GivenStep,
  isReturnStep,
  RETURN_STEPS,
  type ReturnStep,
  stepsFrom,
  takeReturnStep,
} from './return-steps.ts';
import {
  answerOf,
  countOpenReturns,
  findReturn,
  openReturns,
  returnPath,
  STATE_LABELS,
  type StoredReturn,
} from './stored-returns.ts';

/** The length of the list. */
const SHOWN = 50;

/** The field with the state that the page showed. */
const SHOWN_STATE = 'was';

/** Whether the money of the return has gone back, or is on its way. */
const isUnderWay = ({ state }: Pick<Movement, 'state'>): boolean => state !== 'failed';

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

/** The steps that a form takes. The arrival of the goods has a button of its own. */
const ANSWERS = Object.keys(RETURN_STEPS).filter(isReturnStep);

const needsMessage = (step: ReturnStep): boolean => 'needsMessage' in RETURN_STEPS[step];

const AnswerSchema = v.pipe(
  v.object({ decision: v.picklist(ANSWERS, 'Choose an answer'), answer: textLines(500), ...TRACKING }),
  v.forward(
    v.partialCheck(
      [['decision'], ['answer']],
      ({ decision, answer }) => answer !== '' || !needsMessage(decision),
      'Enter: Message to the customer',
    ),
    ['answer'],
  ),
);

const answerForm = (steps: readonly ReturnStep[]) =>
  defineForm(AnswerSchema, {
    decision: {
      label: 'Answer',
      control: 'radios',
      options: steps
        .filter((step) => step !== 'received')
        .map((value) => ({ value, label: RETURN_STEPS[value].label })),
    },
    answer: {
      label: 'Message to the customer',
      hint: 'It goes out as an email: where to send the goods, or that they may be kept; or why not.',
      control: 'textarea',
      isOptional: steps.includes('replaced'),
    },
    ...trackingForm.fields,
  });

/** The fields that a return needs: those of a parcel if new goods can be sent. */
function answerFields(steps: readonly ReturnStep[]): Fields {
  const { carrier, tracking, ...fields } = answerForm(steps).fields;
  return steps.includes('replaced') ? { ...fields, carrier, tracking } : fields;
}

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
  const isErased = (await orderRecipient(db, order)) === undefined;
  const price = lines.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0);
  const path = returnPath(own.id);
  const steps = refunds.some(isUnderWay) ? [] : stepsFrom(own);
  const hidden = { [SHOWN_STATE]: own.state };
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
            <p>There is no account, so the customer is not written to. {order.address.phone}</p>
          </Notice>
        )}
        <p>Why: {own.reason}</p>
        {answerOf(own) !== '' && <p>Our answer: {answerOf(own)}</p>}
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
        {steps.includes('received') && (
          <Form
            fields={BACK_ON_SALE}
            action={`${path}/received`}
            submit={RETURN_STEPS.received.label}
            hidden={hidden}
          />
        )}
        {steps.length > 0 && (
          <Form
            fields={answerFields(steps)}
            action={`${path}/answer`}
            submit="Send the answer"
            hidden={hidden}
            {...state}
          />
        )}
        {steps.length > 0 && own.state !== 'asked' && (
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

/** Takes a step from the state for which the form was shown. @throws Refusal 409 if someone else was first */
const takeStep = (context: AdminContext, services: Services, step: GivenStep): Promise<Response> =>
  change(context, services, async (transaction, log) => {
    const { order } = await requireReturn(context, transaction);
    await lockOrder(transaction, order.id);
    const { own, refunds, lines } = await requireReturn(context, transaction);
    const form = context.get('form');
    const isShown = own.state === form.get(SHOWN_STATE);
    if (!isShown || !stepsFrom(own).includes(step.to) || refunds.some(isUnderWay)) throw someoneWasFirst(own);
    const isBackOnSale = step.to === 'received' && form.has('backOnSale');
    if (isBackOnSale) {
      const items = lines.map(({ item }) => item);
      await restock(transaction, order.number, goodsOf(items, own.lines));
    }
    await takeReturnStep(transaction, services, own, order.id, { ...step, isBackOnSale }, log);
    return { to: returnPath(own.id), message: `The return is ${STATE_LABELS[step.to]} now.` };
  });

async function answer(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(answerForm(ANSWERS), context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  const { decision, answer: message, ...parcel } = parsed.output;
  return takeStep(context, services, { to: decision, answer: message, ...parcel });
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
    if (own.state === 'asked' || stepsFrom(own).length === 0 || refunds.some(isUnderWay))
      throw someoneWasFirst(own);
    const movements = await movementsOf(transaction, order.number);
    const failed = refunds.findLast(({ needsReview }) => needsReview === 1);
    const refused =
      order.heldPaise === 0
        ? wrong('amount', 'No payment has paid for this order. Book the cash first.')
        : await refundAsGiven(transaction, services, { order, movements }, parsed.output, {
            paise,
            reason: 'Goods were returned.',
            lines: own.lines,
            recordedBy: staffOf(context).email,
            returnId: own.id,
            ...(failed ? { retryOf: failed.id } : {}),
          });
    if (refused)
      throw new ChangeAborted(() =>
        show(context, services, { values: parsed.values, errors: refused.errors }),
      );
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
  access: AdminPage['access'] = 'service',
): AdminPage => ({ method, path: `/orders/returns${path}`, access, handle });

export const RETURN_PAGES: readonly AdminPage[] = [
  page('GET', '', list),
  page('GET', '/:id', show),
  page('POST', '/:id/answer', answer),
  page('POST', '/:id/received', (context, services) => takeStep(context, services, { to: 'received' })),
  page('POST', '/:id/refund', refund, 'payments'),
];
