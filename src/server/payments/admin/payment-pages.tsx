import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { type FormState, text, type Values } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS, orderPath, paymentPath, refundPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, LinkButton, Notice, Table, Time, Times } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { holdsMoney } from '#server/payments/payment-state.ts';
import { paymentMethodText, providersOf } from '#server/payments/providers/providers.ts';
import { resolvePayment, storeRefund } from '#server/payments/refunds.ts';
import { findPayment, lockPayment, paymentsNeedingAttention } from '#server/payments/stored-payments.ts';
import { isOpenDispute, type Refund, refundable, refundsOf } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { CASH_PAGES } from './cash-pages.tsx';
import { attentionTexts, paymentNotes, REFUND_NAMES, STATE_NAMES, stateName } from './payment-texts.ts';

/** How many the list of orders shows. More appear as these are resolved. */
const SHOWN = 4;

/** The payments that need attention, above the list of orders. Empty if there are none. */
export async function renderPaymentTasks({ db }: Services): Promise<ReactNode> {
  const found = await paymentsNeedingAttention(db, SHOWN + 1);
  if (found.length === 0) return '';
  const refunds = await refundsOf(db, found);
  const items = found.slice(0, SHOWN).map((payment) => (
    <li key={payment.reference}>
      <p>
        <strong>{stateName(payment, refunds)}</strong>, order{' '}
        <a href={orderPath(payment.orderId)}>{payment.shownNumber}</a>, <Time at={payment.changedAt} />.{' '}
        {attentionTexts(payment, refunds).join(' ')}
      </p>
      <LinkButton
        variant="quiet"
        href={paymentPath(payment.reference)}
        aria-label={`Resolve: order ${payment.shownNumber}`}
      >
        Resolve
      </LinkButton>
    </li>
  ));
  return (
    <Notice id="money" title="Payments that need attention">
      <ul className="m-0 grid list-none gap-4 p-0">{items}</ul>
      {found.length > SHOWN && <p>There are more. They appear as these are resolved.</p>}
    </Notice>
  );
}

export const refundTable = (refunds: readonly Refund[]): ReactNode =>
  refunds.length > 0 && (
    <Table
      caption="Refunds"
      heads={['State', 'Amount', 'Reason', 'By', 'When']}
      rows={refunds.map(({ paise, state, words, reason, who, byHand, createdAt, changedAt }) => [
        <div>
          <b className="block">
            {REFUND_NAMES[state]}
            {byHand ? ' by hand' : null}
          </b>
          {words}
        </div>,
        formatPaise(paise),
        reason,
        who,
        <Times createdAt={createdAt} changedAt={changedAt} />,
      ])}
    />
  );

const textField = { control: 'text', autocomplete: 'off' } as const;
const amountField = { ...textField, inputmode: 'decimal' } as const;
const filledText = (max: number) => v.pipe(text(max), v.nonEmpty('must not be empty'));

/** The forms of the page: a refund by the provider, and what was done by hand. */
const FORMS = {
  refund: defineForm(
    v.pipe(
      v.object({
        amount: v.pipe(RupeesTextSchema, v.minValue(0.01, 'must be more than 0')),
        reason: filledText(200),
      }),
      v.transform(({ amount, reason }) => ({ paise: toPaise(amount), reason })),
    ),
    {
      amount: { ...amountField, label: 'Amount to refund' },
      reason: { ...textField, label: 'Reason', hint: 'It stays in the log permanently.' },
    },
  ),
  note: defineForm(
    v.pipe(
      v.object({ byHand: RupeesTextSchema, note: filledText(500) }),
      v.transform(({ byHand, note }) => ({ paise: toPaise(byHand), reason: note })),
    ),
    {
      byHand: {
        ...amountField,
        label: 'Amount refunded by hand',
        hint: '0 if none was. Otherwise the customer gets an email about the refund.',
      },
      note: {
        ...textField,
        label: 'What was done',
        hint: 'Such as: paid back by bank transfer. It stays in the log permanently.',
      },
    },
  ),
};

type FormName = keyof typeof FORMS;
type FormSchemas = (typeof FORMS)[FormName]['schema'];

/** A payment whose money came, and what can be done with it. */
async function read(context: AdminContext, db: Reader) {
  const payment = await findPayment(db, context.req.param('reference') ?? '');
  if (!payment || !(holdsMoney(payment.state) || payment.state === 'refunded'))
    throw new Refusal(404, 'There is no such payment.');
  const refunds = await refundsOf(db, [payment]);
  return {
    payment,
    refunds,
    left: refundable(payment, refunds),
    problems: attentionTexts(payment, refunds),
  };
}

type Shown = Awaited<ReturnType<typeof read>>;

const partsOf = ({ left, payment, problems }: Shown) => ({
  Refundable: formatPaise(left),
  State: STATE_NAMES[payment.state],
  'To resolve': problems.join(' '),
});

/** @param sent the form that is answered */
function show(
  context: AdminContext,
  services: Services,
  shown: Shown,
  sent?: FormName,
  state: FormState = {},
): Response | Promise<Response> {
  const { payment, refunds, left, problems } = shown;
  const { reference, orderId, shownNumber, changedAt, resolvedAt } = payment;
  const { title, isPaidAtDoor = false } = providersOf(services).get(payment.provider) ?? {};
  const can = title && !isPaidAtDoor && left > 0 && `${title} can refund ${formatPaise(left)}.`;
  const rupees = rupeesText(toRupees(left));
  const isDue = payment.state === 'refund_due' || isPaidAtDoor;
  const form = (name: FormName, action: string, submit: string, values: Values) => (
    <Form
      fields={FORMS[name].fields}
      action={action}
      submit={submit}
      hidden={formVersion(partsOf(shown))}
      values={values}
      {...(name === sent && state)}
    />
  );
  return showPage(context, {
    title: `Payment: order ${shownNumber}`,
    content: (
      <>
        {state.notice}
        {problems.map((problem) => (
          <p key={problem}>
            <strong>{problem}</strong>
          </p>
        ))}
        <p>
          {stateName(payment, refunds)}: {formatPaise(payment.amountPaise)} by{' '}
          {paymentMethodText(services, payment)}, <Time at={changedAt} />. The provider and the bank name it{' '}
          <b>{reference}</b>.
        </p>
        {paymentNotes(payment, refunds).map((note) => (
          <p key={note}>{note}</p>
        ))}
        {resolvedAt !== null && (
          <p>
            Resolved by {payment.resolvedBy}, <Time at={resolvedAt} />: {payment.note}
          </p>
        )}
        <p>
          <a href={orderPath(orderId)}>Order {shownNumber}</a>
        </p>
        {refundTable(refunds)}
        {refunds.some(isOpenDispute) && (
          <p>
            Until the bank has decided, what is in dispute cannot be refunded here: the customer would get it
            twice.
          </p>
        )}
        {left === 0 && <p>Nothing is left to refund.</p>}
        {can && (
          <Allowed to={refundPath(reference)} method="POST" otherwise={<p>{can} Ask an owner to do so.</p>}>
            <h2>Refund</h2>
            <p>{can}</p>
            {form('refund', refundPath(reference), 'Refund', { amount: rupees })}
          </Allowed>
        )}
        {(left > 0 || problems.length > 0) && (
          <Allowed to={paymentPath(reference)} method="POST">
            <h2>Done by hand</h2>
            <p>
              Note here what was done outside of this admin, such as cash or a bank transfer. The note itself
              moves no money.
            </p>
            {form('note', paymentPath(reference), problems.length > 0 ? 'Mark as resolved' : 'Save', {
              byHand: isDue ? rupees : '0',
            })}
          </Allowed>
        )}
      </>
    ),
    status: state.notice ? 409 : state.errors ? 422 : 200,
  });
}

/** Stores a refund, which a process requests from the provider soon after, or what was done by hand. */
const send =
  (name: FormName): AdminPage['handle'] =>
  async (context, services) => {
    const shown = await read(context, services.db);
    const parsed = parseForm<FormSchemas>(FORMS[name], context.get('form'));
    if (!parsed.isValid) return show(context, services, shown, name, parsed);
    const { paise, reason } = parsed.output;
    const { reference, orderId, shownNumber } = shown.payment;
    const who = staffOf(context).email;
    const isByHand = name === 'note';
    return change(context, services, async (transaction, log) => {
      await lockPayment(transaction, reference);
      const now = await read(context, transaction);
      const { state } = now.payment;
      const [yours, left] = [formatPaise(shown.left), formatPaise(now.left)];
      const notice = (
        <ConflictNotice
          conflicts={[{ label: 'Refundable', yours, now: left }]}
          again="See what was done already. Do only what is still due."
        />
      );
      requireFormVersion(context.get('form'), partsOf(now), {}, () =>
        show(context, services, now, name, { notice }),
      );
      const resolution = { resolvedAt: services.clock(), resolvedBy: who, note: reason };
      // A wrong amount, and news of the provider, may be resolved without a refund.
      const isResolved = isByHand && (await resolvePayment(transaction, now.payment, resolution));
      const request = { reference, paise, reason, who, isByHand };
      const refusal =
        isResolved && paise === 0 ? undefined : await storeRefund(transaction, services, request);
      if (refusal) {
        const text = `At most ${formatPaise(refusal.left)} can be refunded.`;
        const errors = new Map([[isByHand ? 'byHand' : 'amount', text]]);
        const { values } = parsed;
        throw new ChangeAborted(() => show(context, services, now, name, { values, errors }));
      }
      const amount = paise > 0 ? { amount: formatPaise(paise) } : {};
      await log({
        action: isByHand ? 'resolved a payment' : 'refunded money',
        target: ['order', orderId],
        from: { payment: STATE_NAMES[state], reference },
        to: isByHand ? { note: reason, ...amount } : { ...amount, reason },
      });
      return isByHand
        ? { to: ORDERS, message: `The payment of order ${shownNumber} is resolved.` }
        : { to: refundPath(reference), message: `${formatPaise(paise)} will be refunded.` };
    });
  };

const showPayment: AdminPage['handle'] = async (context, services) =>
  show(context, services, await read(context, services.db));

const path = '/orders/payments/:reference';

export const PAYMENT_PAGES: readonly AdminPage[] = [
  ...CASH_PAGES,
  { method: 'GET', path, access: 'orders', handle: showPayment },
  { method: 'POST', path, access: 'payments', handle: send('note') },
  { method: 'GET', path: `${path}/refund`, access: 'payments.write', handle: showPayment },
  { method: 'POST', path: `${path}/refund`, access: 'payments', handle: send('refund') },
];
