import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, type Paise, toPaise, toRupees } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { type FormState, type Typed, text } from '#server/admin/forms/field.ts';
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
import { paymentMethodText, providersOf } from '#server/payments/providers/table.ts';
import { noteNews, storeRefund, storeResolution } from '#server/payments/refunds.ts';
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
        look="quiet"
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
          <b>
            {REFUND_NAMES[state]}
            {byHand ? ' by hand' : null}
          </b>
          {words && (
            <>
              <br />
              {words}
            </>
          )}
        </div>,
        formatPaise(paise),
        reason,
        who,
        <Times createdAt={createdAt} changedAt={changedAt} />,
      ])}
    />
  );

const amountField = { control: 'text', inputmode: 'decimal', autocomplete: 'off' } as const;

const refundForm = defineForm(
  v.object({
    amount: v.pipe(RupeesTextSchema, v.minValue(0.01, 'must be more than 0')),
    reason: v.pipe(text(200), v.nonEmpty('must not be empty')),
  }),
  {
    amount: { ...amountField, label: 'Amount to refund' },
    reason: {
      label: 'Reason',
      hint: 'It stays in the log permanently.',
      control: 'text',
      autocomplete: 'off',
    },
  },
);

const noteForm = defineForm(
  v.object({ byHand: RupeesTextSchema, note: v.pipe(text(500), v.nonEmpty('must not be empty')) }),
  {
    byHand: {
      ...amountField,
      label: 'Amount refunded by hand',
      hint: '0 if none was. Otherwise the customer gets an email about the refund.',
    },
    note: {
      label: 'What was done',
      hint: 'Such as: paid back by bank transfer. It stays in the log permanently.',
      control: 'text',
      autocomplete: 'off',
    },
  },
);

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

/** The states of the two forms. */
interface FormStates {
  readonly refunding?: FormState;
  readonly noting?: FormState;
}

function show(
  context: AdminContext,
  services: Services,
  shown: Shown,
  { refunding = {}, noting = {} }: FormStates = {},
): Response | Promise<Response> {
  const { payment, refunds, left, problems } = shown;
  const { reference, orderId, shownNumber, changedAt, state, resolvedAt } = payment;
  const { title, isPaidAtDoor = false } = providersOf(services).get(payment.provider) ?? {};
  const can = title && !isPaidAtDoor && left > 0 && `${title} can refund ${formatPaise(left)}.`;
  const rupees = rupeesText(toRupees(left));
  const isDue = state === 'refund_due' || isPaidAtDoor;
  return showPage(context, {
    title: `Payment: order ${shownNumber}`,
    content: (
      <>
        {refunding.notice ?? noting.notice}
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
            <Form
              fields={refundForm.fields}
              action={refundPath(reference)}
              submit="Refund"
              hidden={formVersion(partsOf(shown))}
              mistakes={refunding.mistakes}
              typed={refunding.typed ?? { amount: rupees, reason: '' }}
            />
          </Allowed>
        )}
        {(left > 0 || problems.length > 0) && (
          <Allowed to={paymentPath(reference)} method="POST">
            <h2>Done by hand</h2>
            <p>
              Note here what was done outside of this admin, such as cash or a bank transfer. The note itself
              moves no money.
            </p>
            <Form
              fields={noteForm.fields}
              action={paymentPath(reference)}
              submit={problems.length > 0 ? 'Mark as resolved' : 'Save'}
              hidden={formVersion(partsOf(shown))}
              mistakes={noting.mistakes}
              typed={noting.typed ?? { byHand: isDue ? rupees : '0', note: '' }}
            />
          </Allowed>
        )}
      </>
    ),
    status: (refunding.notice ?? noting.notice) ? 409 : (refunding.mistakes ?? noting.mistakes) ? 422 : 200,
  });
}

/** What a form about the money of a payment says. */
interface Given {
  /** Which form it was. */
  readonly form: keyof FormStates;
  readonly typed: Typed;
  readonly paise: Paise;
  readonly reason: string;
}

/** Stores a refund, which a process requests from the provider soon after, or what was done by hand. */
function store(context: AdminContext, services: Services, shown: Shown, given: Given): Promise<Response> {
  const { reference, orderId, shownNumber } = shown.payment;
  const { form, typed, paise, reason } = given;
  const who = staffOf(context).email;
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
      show(context, services, now, { [form]: { notice } }),
    );
    const request = { reference, paise, reason, who, isByHand: form === 'noting' };
    const resolution = { resolvedAt: services.clock(), resolvedBy: who, note: reason };
    const hadNews = form === 'noting' && (await noteNews(transaction, reference)) > 0;
    const wasFlagged =
      form === 'noting' && state === 'flagged' && (await storeResolution(transaction, reference, resolution));
    // A wrong amount, and news of the provider, may be resolved without a refund.
    const isDone = (hadNews || wasFlagged) && paise === 0;
    const refusal = isDone ? undefined : await storeRefund(transaction, services, request);
    if (refusal) {
      const name = form === 'noting' ? 'byHand' : 'amount';
      const mistakes = new Map([[name, `At most ${formatPaise(refusal.left)} can be refunded.`]]);
      throw new ChangeAborted(() => show(context, services, now, { [form]: { typed, mistakes } }));
    }
    const entry = { target: ['order', orderId], from: { payment: STATE_NAMES[state], reference } } as const;
    const amount = paise > 0 ? { amount: formatPaise(paise) } : {};
    if (form === 'noting') {
      await log({ ...entry, action: 'resolved a payment', to: { note: reason, ...amount } });
      return { to: ORDERS, message: `The payment of order ${shownNumber} is resolved.` };
    }
    await log({ ...entry, action: 'refunded money', to: { ...amount, reason } });
    return { to: refundPath(reference), message: `${formatPaise(paise)} will be refunded.` };
  });
}

async function refund(context: AdminContext, services: Services): Promise<Response> {
  const shown = await read(context, services.db);
  const parsed = parseForm(refundForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, shown, { refunding: parsed });
  const { amount, reason } = parsed.values;
  return store(context, services, shown, {
    form: 'refunding',
    typed: parsed.typed,
    paise: toPaise(amount),
    reason,
  });
}

async function resolve(context: AdminContext, services: Services): Promise<Response> {
  const shown = await read(context, services.db);
  const parsed = parseForm(noteForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, shown, { noting: parsed });
  const { byHand, note } = parsed.values;
  return store(context, services, shown, {
    form: 'noting',
    typed: parsed.typed,
    paise: toPaise(byHand),
    reason: note,
  });
}

const showPayment: AdminPage['handle'] = async (context, services) =>
  show(context, services, await read(context, services.db));

const path = '/orders/payments/:reference';

export const PAYMENT_PAGES: readonly AdminPage[] = [
  ...CASH_PAGES,
  { method: 'GET', path, access: 'orders', handle: showPayment },
  { method: 'POST', path, access: 'payments', handle: resolve },
  { method: 'GET', path: `${path}/refund`, access: 'payments.write', handle: showPayment },
  { method: 'POST', path: `${path}/refund`, access: 'payments', handle: refund },
];
