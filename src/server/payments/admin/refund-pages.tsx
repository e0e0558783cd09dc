import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, toPaise, toRupees } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { formVersion, requireFormVersion } from '#server/admin/form-version.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import type { FormState, Mistakes } from '#server/admin/forms/field.ts';
import { text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath, paymentPath, refundPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, Table, Times } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { paymentMethodText, providersOf } from '#server/payments/providers/table.ts';
import { storeRefund } from '#server/payments/refunds.ts';
import {
  type Dispute,
  isOpenDispute,
  moneyOf,
  type Refund,
  receivedPaise,
  refundable,
} from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import {
  disputeText,
  findPaymentRecord,
  needsAttention,
  type PaymentRecord,
  STATE_NAMES,
} from './payment-records.ts';

export const REFUND_NAMES: Readonly<Record<Refund['state'], string>> = {
  refunding: 'Refund in progress',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
};

const refundForm = defineForm(
  v.object({
    amount: v.pipe(RupeesTextSchema, v.minValue(0.01, 'must be more than 0')),
    reason: v.pipe(text(200), v.nonEmpty('must not be empty')),
  }),
  {
    amount: { label: 'Amount to refund', control: 'text', inputmode: 'decimal', autocomplete: 'off' },
    reason: {
      label: 'Reason',
      hint: 'It stays in the log permanently.',
      control: 'text',
      autocomplete: 'off',
    },
  },
);

export const refundRows = (refunds: readonly Refund[]): ReactNode[][] =>
  refunds.map(({ paise, state, words, reason, who, byHand, createdAt, changedAt }) => [
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
  ]);

interface Shown {
  readonly record: PaymentRecord;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly left: number;
}

async function read(context: AdminContext, db: Reader): Promise<Shown> {
  const record = await findPaymentRecord(db, context.req.param('reference') ?? '');
  if (!record || !['paid', 'refund_due', 'flagged', 'refunded'].includes(record.state))
    throw new Refusal(404, 'There is no such payment.');
  const [refunds, disputes] = await moneyOf(db, [record.reference]);
  return { record, refunds, disputes, left: refundable(receivedPaise(record), refunds, disputes) };
}

const partsOf = ({ left, record }: Shown) => ({
  Refundable: formatPaise(left),
  State: STATE_NAMES[record.state],
});

/** A hint about refunds by hand. */
function byHandNotice(services: Services, record: PaymentRecord): ReactNode {
  if (providersOf(services).get(record.provider)?.isPaidAtDoor)
    return (
      <p>It was paid in cash. Refund it by hand first: this form records it, and emails the customer.</p>
    );
  return (
    needsAttention(record) && (
      <p>
        If it was refunded by hand, such as by bank transfer,{' '}
        <a href={paymentPath(record.reference)}>note what was done</a> instead.
      </p>
    )
  );
}

function show(
  context: AdminContext,
  services: Services,
  shown: Shown,
  { typed, mistakes, notice }: FormState = {},
): Response | Promise<Response> {
  const { record, refunds, disputes, left } = shown;
  const form = {
    fields: refundForm.fields,
    action: refundPath(record.reference),
    submit: 'Refund',
    typed: typed ?? { amount: rupeesText(toRupees(left)), reason: '' },
    hidden: formVersion(partsOf(shown)),
    mistakes,
  };
  const earlier = refunds.length > 0 && (
    <Table caption="Refunds" heads={['State', 'Amount', 'Reason', 'By', 'When']} rows={refundRows(refunds)} />
  );
  return showPage(context, {
    title: `Refund: order ${record.shownNumber}`,
    content: (
      <>
        {notice ?? ''}
        <p>
          {formatPaise(receivedPaise(record))} by {paymentMethodText(services, record)}:{' '}
          {STATE_NAMES[record.state]}. The provider and the bank name it <b>{record.reference}</b>.
        </p>
        <p>
          <a href={orderPath(record.orderId)}>Order {record.shownNumber}</a>
        </p>
        {disputes.filter(isOpenDispute).map((dispute) => (
          <p key={dispute.id}>
            <strong>{disputeText(dispute)}</strong> Until it is decided, this part cannot be refunded here:
            the customer would get it twice.
          </p>
        ))}
        {earlier}
        {left === 0 ? (
          <p>Nothing is left to refund.</p>
        ) : (
          <>
            {byHandNotice(services, record)}
            <Form {...form} />
          </>
        )}
      </>
    ),
    status: notice !== undefined ? 409 : mistakes ? 422 : 200,
  });
}

/** Records the refund. A process requests it from the provider soon after. */
async function refund(context: AdminContext, services: Services): Promise<Response> {
  const shown = await read(context, services.db);
  const parsed = parseForm(refundForm, context.get('form'));
  if (!parsed.isValid) return show(context, services, shown, parsed);
  const { reference, orderId } = shown.record;
  const paise = toPaise(parsed.values.amount);
  const { reason } = parsed.values;
  const tooMuch = (left: number): Mistakes =>
    new Map([['amount', `At most ${formatPaise(left)} can be refunded.`]]);
  return change(context, services, async (transaction, log) => {
    const now = await read(context, transaction);
    requireFormVersion(context.get('form'), partsOf(now), {}, () =>
      show(context, services, now, {
        typed: parsed.typed,
        notice: (
          <ConflictNotice
            conflicts={[{ label: 'Refundable', yours: formatPaise(shown.left), now: formatPaise(now.left) }]}
            again="See what was refunded already. Refund what is still due."
          />
        ),
      }),
    );
    const request = { key: services.ids.payment(), reference, paise, reason, who: staffOf(context).email };
    const refusal = await storeRefund(transaction, services.clock(), request);
    if (refusal)
      throw new ChangeAborted(() =>
        show(context, services, now, { typed: parsed.typed, mistakes: tooMuch(refusal.left) }),
      );
    await log({
      action: 'refunded money',
      target: ['order', orderId],
      from: { payment: STATE_NAMES[now.record.state], reference },
      to: { amount: formatPaise(paise), reason },
    });
    return { to: refundPath(reference), message: `${formatPaise(paise)} will be refunded.` };
  });
}

export const REFUND_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/orders/payments/:reference/refund',
    access: 'payments.write',
    handle: async (context, services) => show(context, services, await read(context, services.db)),
  },
  { method: 'POST', path: '/orders/payments/:reference/refund', access: 'payments', handle: refund },
];
