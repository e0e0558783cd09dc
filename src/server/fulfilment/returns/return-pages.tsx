import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { ChangeAborted, change, type Done } from '#server/admin/change.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
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
import type { Reader, Transaction } from '#server/db/database.ts';
import { BACK_ON_SALE, TRACKING, trackingForm } from '#server/fulfilment/admin/order-actions.tsx';
import { goodsOf } from '#server/fulfilment/apply-transition.ts';
import { Refusal } from '#server/http/refusal.ts';
import { wrong } from '#server/ledger/admin/booking.tsx';
import { movementsOf, refundsOfReturn } from '#server/ledger/movements.ts';
import { itemsOf, lockOrder, optionsText, ordersByNumber } from '#server/orders/stored-orders.ts';
import { refundTable } from '#server/payments/admin/money-section.tsx';
import { HOW, HOW_FIELDS, howValues, refundAsGiven } from '#server/payments/admin/refund-pages.tsx';
import type { Services } from '#server/services/services.ts';
import { restock } from '#server/stock/stored-stock.ts';
import {
  type GivenStep,
  RETURN_STEPS,
  type ReturnStep,
  STEP_NAMES,
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

/** The return of a page, its order, and what can be done now. @throws Refusal 404 */
async function requireReturn(context: AdminContext, db: Reader) {
  const own = await findReturn(db, context.req.param('id') ?? '');
  const [order] = own ? await ordersByNumber(db, [own.orderNumber]) : [];
  if (!own || !order) throw new Refusal(404, 'There is no such return.');
  const items = (await itemsOf(db, [order.number])).get(order.number) ?? [];
  const lines = own.lines.flatMap(({ line, quantity }) =>
    items.filter(({ position }) => String(position) === line).map((item) => ({ item, quantity })),
  );
  const movements = await movementsOf(db, order.number);
  const refunds = refundsOfReturn(own.id, movements);
  const isRefunding = refunds.some(({ state }) => state !== 'failed');
  return { own, order, lines, movements, refunds, steps: isRefunding ? [] : stepsFrom(own) };
}

type Found = Awaited<ReturnType<typeof requireReturn>>;

/** Changes a return, while nobody else changes its order. */
const changeReturn = (
  context: AdminContext,
  services: Services,
  work: (transaction: Transaction, log: RecordChange, found: Found) => Promise<Done>,
): Promise<Response> =>
  change(context, services, async (transaction, log) => {
    const { order } = await requireReturn(context, transaction);
    await lockOrder(transaction, order.id);
    return work(transaction, log, await requireReturn(context, transaction));
  });

const AnswerSchema = v.pipe(
  v.object({ decision: v.picklist(STEP_NAMES, 'Choose an answer'), answer: textLines(500), ...TRACKING }),
  v.forward(
    v.partialCheck(
      [['decision'], ['answer']],
      ({ decision, answer }) => answer !== '' || !('needsMessage' in RETURN_STEPS[decision]),
      'Enter: Message to the customer',
    ),
    ['answer'],
  ),
);

/** The arrival of the goods has a button of its own. */
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

async function show(context: AdminContext, services: Services, state: FormState = {}) {
  const { db } = services;
  const { own, order, lines, movements, refunds, steps } = await requireReturn(context, db);
  const isErased = (await orderRecipient(db, order)) === undefined;
  const price = lines.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0);
  const path = returnPath(own.id);
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
            fields={{ backOnSale: BACK_ON_SALE }}
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
                ...howValues(services, { order, movements }),
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
  changeReturn(context, services, async (transaction, log, { own, order, lines, steps }) => {
    const form = context.get('form');
    if (own.state !== form.get(SHOWN_STATE) || !steps.includes(step.to)) throw someoneWasFirst(own);
    const isBackOnSale = step.to === 'received' && form.has('backOnSale');
    if (isBackOnSale) {
      const items = lines.map(({ item }) => item);
      await restock(transaction, order.number, goodsOf(items, own.lines));
    }
    await takeReturnStep(transaction, services, own, order.id, { ...step, isBackOnSale }, log);
    return { to: returnPath(own.id), message: `The return is ${STATE_LABELS[step.to]} now.` };
  });

async function answer(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(answerForm(STEP_NAMES), context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  const { decision, answer: message, ...parcel } = parsed.output;
  return takeStep(context, services, { to: decision, answer: message, ...parcel });
}

/** Refunds a return. It is done once a refund of it has succeeded. */
async function refund(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(amountForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  const paise = toPaise(parsed.output.amount);
  return changeReturn(
    context,
    services,
    async (transaction, log, { own, order, movements, refunds, steps }) => {
      if (own.state === 'asked' || steps.length === 0) throw someoneWasFirst(own);
      const failed = refunds.findLast(({ needsReview }) => needsReview === 1);
      const recordedBy = staffOf(context).email;
      const book = { transaction, services, orderNumber: order.number, recordedBy };
      const refused =
        order.heldPaise === 0
          ? wrong('amount', 'No payment has paid for this order. Book the cash first.')
          : await refundAsGiven(book, services, { order, movements }, parsed.output, {
              paise,
              reason: 'Goods were returned.',
              lines: own.lines,
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
    },
  );
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
  const more = count > SHOWN ? `; ${SHOWN} of them here, and more as these are resolved` : '';
  return showPage(context, {
    title: 'Open returns',
    content: (
      <Table
        empty="There are no open returns."
        caption={`${count} open, the longest waiting first${more}`}
        heads={['Order', 'State', 'Why', 'Requested']}
        rows={rows}
      />
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
