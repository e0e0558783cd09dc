import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { paymentPath, refundPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { Lines, Table, Times, TouchLink } from '#server/admin/views/pieces.tsx';
import { CashActions } from '#server/payments/admin/cash-pages.tsx';
import {
  attentionTexts,
  paymentNotes,
  REFUND_NAMES,
  stateName,
} from '#server/payments/admin/payment-texts.ts';
import { holdsMoney } from '#server/payments/payment-state.ts';
import { paymentMethodText } from '#server/payments/providers/providers.ts';
import type { Payment } from '#server/payments/stored-payments.ts';
import { isDispute, type Refund, refundable } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';

/** A payment with its refunds, and what an owner can do with it. */
function renderState(payment: Payment, refunds: readonly Refund[]): ReactNode {
  const { reference, state, resolvedAt, note } = payment;
  const problems = attentionTexts(payment, refunds);
  const made = refunds.filter((refund) => refund.reference === reference && !isDispute(refund));
  const lines = [
    ...(resolvedAt === null ? [] : [`Resolved: ${note}`]),
    ...made.map(({ state: now, paise, words }) => `${REFUND_NAMES[now]}: ${formatPaise(paise)} ${words}`),
    ...paymentNotes(payment, refunds),
  ];
  return (
    <div>
      <b className="whitespace-nowrap">{stateName(payment, refunds)}</b>
      {problems.length > 0 && (
        <>
          <br />
          {problems.join(' ')} <TouchLink href={paymentPath(reference)}>Resolve</TouchLink>
        </>
      )}
      <br />
      <Lines of={lines} />
      <CashActions payment={payment} />
      {holdsMoney(state) && refundable(payment, refunds) > 0 && (
        <Allowed to={refundPath(reference)}>
          <br />
          <TouchLink href={refundPath(reference)}>Refund</TouchLink>
        </Allowed>
      )}
    </div>
  );
}

export const renderPayments = (
  services: Services,
  payments: readonly Payment[],
  refunds: readonly Refund[],
): ReactNode => (
  <>
    <h2>Payments</h2>
    {payments.length === 0 ? (
      <p>No payment has been started yet.</p>
    ) : (
      <Table
        caption="In the order of their start"
        heads={['State', 'Amount', 'By', 'Started', 'Reference']}
        rows={payments.map((payment) => [
          renderState(payment, refunds),
          formatPaise(payment.amountPaise),
          paymentMethodText(services, payment),
          <Times createdAt={payment.createdAt} changedAt={payment.changedAt} />,
          payment.reference,
        ])}
      />
    )}
  </>
);
