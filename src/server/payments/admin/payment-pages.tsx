import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS, orderPath, paymentPath, refundPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, LinkButton, Notice, Time } from '#server/admin/views/pieces.tsx';
import { Refusal } from '#server/http/refusal.ts';
import { isProblem } from '#server/payments/payment-state.ts';
import { paymentMethodText, providersOf } from '#server/payments/providers/table.ts';
import { recordRefundByHand } from '#server/payments/refunds.ts';
import { moneyOf, receivedPaise, refundable } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import { CASH_PAGES } from './cash-pages.tsx';
import {
  attentionTexts,
  findPaymentRecord,
  noteNews,
  type PaymentRecord,
  paymentsNeedingAttention,
  STATE_NAMES,
  storeResolution,
} from './payment-records.ts';

/** How many the list of orders shows. More appear as these are resolved. */
const SHOWN = 4;

/** The payments that need attention, above the list of orders. Empty if there are none. */
export async function renderPaymentTasks(services: Services): Promise<ReactNode> {
  const found = await paymentsNeedingAttention(services.db, SHOWN + 1);
  if (found.length === 0) return '';
  const references = found.map(({ reference }) => reference);
  const [refunds, disputes] = await moneyOf(services.db, references);
  const items = found.slice(0, SHOWN).map((record) => (
    <li key={record.reference}>
      <p>
        <strong>{STATE_NAMES[record.state]}</strong>, order{' '}
        <a href={orderPath(record.orderId)}>{record.shownNumber}</a>, <Time at={record.changedAt} />.{' '}
        {attentionTexts(record, refunds, disputes).join(' ')}
      </p>
      <LinkButton
        look="quiet"
        href={paymentPath(record.reference)}
        aria-label={`Resolve: order ${record.shownNumber}`}
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

async function requirePayment(context: AdminContext, services: Services): Promise<PaymentRecord> {
  const record = await findPaymentRecord(services.db, context.req.param('reference') ?? '');
  const isShown = record && (isProblem(record.state) || record.state === 'refunded');
  const texts = record && attentionTexts(record, ...(await moneyOf(services.db, [record.reference])));
  if (!record || !(isShown || texts?.length)) throw new Refusal(404, 'There is no such payment.');
  return record;
}

const resolvedNote = ({ resolvedAt, resolvedBy, note }: PaymentRecord): ReactNode =>
  resolvedAt === null ? (
    <p>It was refunded in full.</p>
  ) : (
    <p>
      Resolved by {resolvedBy}, <Time at={resolvedAt} />: {note}
    </p>
  );

function renderRefundForm(services: Services, record: PaymentRecord, left: number): ReactNode {
  const provider = providersOf(services).get(record.provider);
  if (!provider || provider.isPaidAtDoor) return '';
  if (left <= 0) return <p>Nothing is left to refund.</p>;
  const can = `${provider.title} can refund ${formatPaise(left)}`;
  return (
    <Allowed to={refundPath(record.reference)} otherwise={<p>{can}. Ask an owner to do so.</p>}>
      <p>{can}.</p>
      <p>
        <LinkButton href={refundPath(record.reference)}>Refund</LinkButton>
      </p>
    </Allowed>
  );
}

const noteForm = defineForm(
  v.object({ amount: RupeesTextSchema, note: v.pipe(text(500), v.nonEmpty('must not be empty')) }),
  {
    amount: {
      label: 'Amount refunded by hand',
      hint: '0 if none was. Otherwise the customer gets an email about the refund.',
      control: 'text',
      inputmode: 'decimal',
      autocomplete: 'off',
    },
    note: {
      label: 'What was done',
      hint: 'Such as: paid back by bank transfer. It stays in the log permanently.',
      control: 'text',
      autocomplete: 'off',
    },
  },
);

async function showPayment(
  context: AdminContext,
  services: Services,
  record: PaymentRecord,
  { typed, mistakes, notice }: FormState = {},
) {
  const { reference, orderId, changedAt, state } = record;
  const [refunds, disputes] = await moneyOf(services.db, [reference]);
  const left = refundable(receivedPaise(record), refunds, disputes);
  const texts = attentionTexts(record, refunds, disputes);
  const form = {
    fields: noteForm.fields,
    action: paymentPath(reference),
    submit: 'Mark as resolved',
    typed: typed ?? { amount: rupeesText(toRupees(state === 'refund_due' ? left : 0)), note: '' },
    mistakes,
  };
  return showPage(context, {
    title: `${STATE_NAMES[record.state]}: order ${record.shownNumber}`,
    content: (
      <>
        {notice ?? ''}
        {texts.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>
          {paymentMethodText(services, record)}, <Time at={changedAt} />. The provider and the bank name it{' '}
          <b>{reference}</b>.
        </p>
        <p>
          <a href={orderPath(orderId)}>Order {record.shownNumber}</a>
        </p>
        {texts.length > 0 ? renderRefundForm(services, record, left) : resolvedNote(record)}
        {texts.length > 0 && (
          <Allowed to={paymentPath(reference)} method="POST">
            <h2>Done by hand</h2>
            <p>Note here what was done outside of this admin. The note itself moves no money.</p>
            <Form {...form} />
          </Allowed>
        )}
      </>
    ),
    status: notice !== undefined ? 409 : mistakes ? 422 : 200,
  });
}

async function resolve(context: AdminContext, services: Services): Promise<Response> {
  const record = await requirePayment(context, services);
  const parsed = parseForm(noteForm, context.get('form'));
  if (!parsed.isValid) return showPayment(context, services, record, parsed);
  const { reference, orderId, state } = record;
  const { note } = parsed.values;
  const paise = toPaise(parsed.values.amount);
  return change(context, services, async (transaction, log) => {
    const who = staffOf(context).email;
    const isNews = (await noteNews(transaction, reference)) > 0;
    const isFlagged = state === 'flagged';
    if (!isFlagged && !isNews && state !== 'refund_due')
      throw new Refusal(409, 'It is resolved. Nothing is left to do.');
    if (
      isFlagged &&
      !isNews &&
      !(await storeResolution(transaction, { reference, at: services.clock(), who, note }))
    ) {
      throw new ChangeAborted(async () => {
        const now = await requirePayment(context, services);
        const conflicts = [{ label: 'What was done', yours: note, now: now.note ?? '' }];
        const again = 'It is resolved. Nothing is left to do.';
        return showPayment(context, services, now, {
          notice: <ConflictNotice conflicts={conflicts} again={again} />,
        });
      });
    }
    // A wrong amount, and news of the provider, may be resolved without a refund.
    const request = { key: services.ids.payment(), reference, paise, reason: note, who };
    const refusal =
      (isFlagged || isNews) && paise === 0
        ? undefined
        : await recordRefundByHand(transaction, services, request);
    if (refusal) {
      const problem = `At most ${formatPaise(refusal.left)} can be refunded.`;
      const mistakes = new Map([['amount', problem]]);
      throw new ChangeAborted(() =>
        showPayment(context, services, record, { typed: parsed.typed, mistakes }),
      );
    }
    await log({
      action: 'resolved a payment',
      target: ['order', orderId],
      from: { payment: STATE_NAMES[state], reference },
      to: { note, ...(paise > 0 ? { amount: formatPaise(paise) } : {}) },
    });
    return { to: ORDERS, message: `The payment of order ${record.shownNumber} is resolved.` };
  });
}

export const PAYMENT_PAGES: readonly AdminPage[] = [
  ...CASH_PAGES,
  {
    method: 'GET',
    path: '/orders/payments/:reference',
    access: 'orders',
    handle: async (context, services) =>
      showPayment(context, services, await requirePayment(context, services)),
  },
  { method: 'POST', path: '/orders/payments/:reference', access: 'payments', handle: resolve },
];
