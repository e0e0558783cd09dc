import type { ReactNode } from 'react';
import * as v from 'valibot';
import { carrierName } from '#domain/carrier.ts';
import { formatPaise, type Paise, toPaise, toRupees } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { change, redirectWithMessage } from '#server/admin/change.ts';
import { BOX, ButtonForm, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, reasonForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { STAFF_STATUSES, staffStatusOf } from '#server/admin/order-status.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath, paymentPath } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { Button, LinkButton, Row, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { literals, q, sumOf } from '#server/db/query.ts';
import { queueEmail, TAKE_BACK_WITHIN, takeEmailBack } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import { SHOWN_NUMBER } from '#server/orders/stored-orders.ts';
import { PAYMENT_EMAILS } from '#server/payments/emails.ts';
import { CASH_NAME } from '#server/payments/providers/cash/cash.ts';
import { changePayment } from '#server/payments/refunds.ts';
import { findPayment, lockPayment, type Payment } from '#server/payments/stored-payments.ts';
import { refundsOf } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { STATE_NAMES } from './payment-texts.ts';

export const CASH = `${ORDERS}/cash`;

const PER_PAGE = 100;

/** The cash that couriers have still to bring: only of parcels that have left. */
const OPEN = q
  .selectFrom('payments')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .where('state', 'in', literals('to_collect'))
  .where('orders.status', 'in', [STAFF_STATUSES.shipped.code, STAFF_STATUSES.delivered.code]);

const LISTED = OPEN.select([
  'reference',
  'amountPaise',
  'orders.id',
  'orders.createdAt',
  'carrier',
  'tracking',
])
  .select(['orders.number', SHOWN_NUMBER])
  .orderBy('orders.number');

const TOTAL = OPEN.select(({ fn }) => [
  fn.countAll<number>().as('count'),
  sumOf(fn.sum('amountPaise')).as('paise'),
]);

const ticked = (db: Reader, references: readonly string[]) =>
  db.rows(LISTED.where('reference', 'in', references));

const cashForm = defineForm(v.object({ amount: RupeesTextSchema }), {
  amount: {
    label: 'Amount that came',
    hint: 'What the courier has paid for the ticked orders.',
    control: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
  },
});

const amountOf = (rows: readonly { readonly amountPaise: Paise }[]): Paise =>
  rows.reduce((sum, { amountPaise }) => sum + amountPaise, 0);

/** A page of the list. What was ticked on other pages stays ticked: a remittance may be longer than a page. */
async function showCash(context: AdminContext, { db }: Services, { values, errors }: FormState = {}) {
  const form: FormData | undefined = context.get('form');
  const chosen = await ticked(db, form?.getAll('payment').map(String) ?? []);
  const after = Number(/^\d{1,15}$/.exec(String(form?.get('after') ?? form?.get('from')))?.[0] ?? 0);
  const { count, paise } = (await db.row(TOTAL)) ?? { count: 0, paise: 0 };
  const found = await db.rows(LISTED.where('orders.number', '>', after).limit(PER_PAGE + 1));
  const open = found.slice(0, PER_PAGE);
  const isChosen = (one: string) => chosen.some(({ reference }) => reference === one);
  const elsewhere = chosen.filter((row) => open.every(({ reference }) => reference !== row.reference));
  const rows = open.map(({ reference, id, shownNumber, createdAt, carrier, tracking, amountPaise }) => [
    <label className="inline-flex min-h-11 items-center gap-3">
      <input
        className={BOX}
        type="checkbox"
        name="payment"
        value={reference}
        defaultChecked={isChosen(reference)}
        aria-label={`Tick ${shownNumber}`}
      />
      <TouchLink href={orderPath(id)}>{shownNumber}</TouchLink>
    </label>,
    <Time at={createdAt} />,
    `${carrierName(carrier)} ${tracking ?? ''}`.trim(),
    formatPaise(amountPaise),
  ]);
  const part = open.length < count ? `, ${open.length} of them here` : '';
  return showPage(context, {
    title: 'Cash to collect',
    content:
      count === 0 ? (
        <p>No parcel that was shipped has cash to collect.</p>
      ) : (
        <PostForm action={CASH} noValidate hidden={{ from: after }}>
          <Table
            hasTitles
            caption={`${count} shipped, ${formatPaise(paise)}; the oldest first${part}`}
            heads={['Order', 'Placed', 'Parcel', 'To collect']}
            rows={rows}
          />
          {elsewhere.length > 0 && (
            <p>
              Ticked on other pages: {elsewhere.map(({ shownNumber }) => shownNumber).join(', ')},{' '}
              {formatPaise(amountOf(elsewhere))}
            </p>
          )}
          <References of={elsewhere} />
          <div className="grid max-w-160 gap-5">
            <FormField name="amount" field={cashForm.fields.amount} values={values} errors={errors} />
            <Row>
              <Button>Compare</Button>
              {found.length > PER_PAGE && (
                <Button variant="quiet" name="after" value={open.at(-1)?.number}>
                  Next {PER_PAGE}
                </Button>
              )}
              {after > 0 && (
                <Button variant="quiet" name="after" value="0">
                  First {PER_PAGE}
                </Button>
              )}
            </Row>
          </div>
        </PostForm>
      ),
    status: errors ? 422 : 200,
  });
}

const References = ({ of }: { readonly of: readonly { readonly reference: string }[] }) =>
  of.map(({ reference }) => <input key={reference} type="hidden" name="payment" value={reference} />);

function differenceText(came: number, sum: number): ReactNode {
  if (came === sum) return <p>{formatPaise(came)} came, which is the sum of these orders.</p>;
  const difference = formatPaise(Math.abs(came - sum));
  return (
    <p>
      <strong>
        {formatPaise(came)} came, but these orders add up to {formatPaise(sum)}:{' '}
        {came < sum ? `${difference} is missing` : `${difference} is too much`}.
      </strong>{' '}
      Perhaps an order too {came < sum ? 'many' : 'few'} is ticked, or the courier kept a fee.
    </p>
  );
}

/** Asks before cash is marked as collected. */
async function compare(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(cashForm, form);
  if (form.has('after')) return showCash(context, services, { values: parsed.values });
  if (!parsed.isValid) return showCash(context, services, parsed);
  const rows = await ticked(services.db, form.getAll('payment').map(String));
  if (rows.length === 0)
    return redirectWithMessage(context, services, { to: CASH, message: 'No order was ticked.' });
  const [came, sum] = [toPaise(parsed.output.amount), amountOf(rows)];
  return showForm(context, {
    title: `The cash of ${plural(rows.length, 'order')} was collected?`,
    intro: (
      <>
        {differenceText(came, sum)}
        <Table
          caption="The ticked orders"
          heads={['Order', 'To collect']}
          rows={rows.map(({ shownNumber, amountPaise }) => [shownNumber, formatPaise(amountPaise)])}
        />
      </>
    ),
    fields: {},
    action: `${CASH}/collected`,
    submit: came === sum ? 'Mark as collected' : 'Mark as collected all the same',
    hidden: { came },
    back: CASH,
    children: <References of={rows} />,
  });
}

async function collect(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  // Payments are always locked sorted, which avoids deadlocks.
  const references = [...new Set(form.getAll('payment').map(String))].toSorted();
  const came = Number(form.get('came'));
  return change(context, services, async (transaction, log) => {
    for (const reference of references) await lockPayment(transaction, reference);
    const rows = await ticked(transaction, references);
    const sum = amountOf(rows);
    for (const { reference, id, amountPaise } of rows) {
      await changePayment(transaction, services, { reference }, 'paid');
      const email = { ...PAYMENT_EMAILS.paid, waits: TAKE_BACK_WITHIN };
      await queueEmail(transaction, services, email, reference);
      await log({
        action: 'collected the cash',
        target: ['order', id],
        from: { payment: STATE_NAMES.to_collect, reference },
        to: {
          payment: STATE_NAMES.paid,
          amount: formatPaise(amountPaise),
          ...(Number.isSafeInteger(came) && came !== sum
            ? { remittance: `${formatPaise(came)} for ${formatPaise(sum)}` }
            : {}),
        },
      });
    }
    const rest = references.length - rows.length;
    const others = rest > 0 ? ` Not changed, because they are not to be collected any more: ${rest}.` : '';
    return {
      to: CASH,
      message: `The cash of ${plural(rows.length, 'order')} was collected: ${formatPaise(sum)}.${others}`,
    };
  });
}

const takeBackPath = (reference: string): string => `${paymentPath(reference)}/not-collected`;

async function askTakeBack(context: AdminContext, services: Services, state: FormState = {}) {
  const payment = await findPayment(services.db, context.req.param('reference') ?? '');
  if (payment?.state !== 'paid' || payment.provider !== CASH_NAME)
    throw new Refusal(409, 'This payment was not collected.');
  return showForm(context, {
    title: `Not collected: order ${payment.shownNumber}?`,
    intro: (
      <p>
        {formatPaise(payment.amountPaise)} is to be collected again. A customer who was already written that
        it came gets a correction by email.
      </p>
    ),
    fields: reasonForm.fields,
    action: takeBackPath(payment.reference),
    submit: 'It was not collected',
    variant: 'danger',
    back: orderPath(payment.orderId),
    ...state,
  });
}

async function takeBack(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(reasonForm, context.get('form'));
  if (!parsed.isValid) return askTakeBack(context, services, parsed);
  return change(context, services, async (transaction, log) => {
    const payment = await lockPayment(transaction, context.req.param('reference') ?? '');
    if (payment?.state !== 'paid' || payment.provider !== CASH_NAME)
      throw new Refusal(409, 'This payment was not collected. Nothing was changed.');
    if ((await refundsOf(transaction, [payment])).length > 0)
      throw new Refusal(409, 'This payment was refunded since. Nothing was changed.');
    const { reference, orderId, amountPaise } = payment;
    await changePayment(transaction, services, payment, 'to_collect');
    const needsCorrection = await takeEmailBack(transaction, services, PAYMENT_EMAILS.paid.kind, reference);
    if (needsCorrection) await queueEmail(transaction, services, PAYMENT_EMAILS.notCollected, reference);
    await log({
      action: 'took back that the cash was collected',
      target: ['order', orderId],
      from: { payment: STATE_NAMES.paid, reference },
      to: { payment: STATE_NAMES.to_collect, reason: parsed.output.reason },
    });
    return { to: orderPath(orderId), message: `${formatPaise(amountPaise)} is to be collected again.` };
  });
}

/** What can be done with cash on the page of an order. */
export function CashActions({ payment }: { readonly payment: Payment }): ReactNode {
  const { reference, state, amountPaise, orderStatus, provider } = payment;
  if (state === 'paid' && provider === CASH_NAME)
    return (
      <LinkButton variant="quiet" href={takeBackPath(reference)}>
        Not collected …
      </LinkButton>
    );
  return (
    state === 'to_collect' &&
    staffStatusOf(orderStatus).hasShipped && (
      <ButtonForm action={CASH} hidden={{ payment: reference, amount: rupeesText(toRupees(amountPaise)) }}>
        The cash was collected …
      </ButtonForm>
    )
  );
}

const access = 'payments';

export const CASH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/cash', access, handle: showCash },
  { method: 'POST', path: '/orders/cash', access, handle: compare },
  { method: 'POST', path: '/orders/cash/collected', access, handle: collect },
  {
    method: 'GET',
    path: '/orders/payments/:reference/not-collected',
    access: 'payments.write',
    handle: askTakeBack,
  },
  { method: 'POST', path: '/orders/payments/:reference/not-collected', access, handle: takeBack },
];
