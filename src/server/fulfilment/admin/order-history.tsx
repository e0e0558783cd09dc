import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { type ChangeRow, readChanges } from '#server/admin/change-log.ts';
import { Table, Time } from '#server/admin/views/pieces.tsx';
import { REFUND_NAMES, STATE_NAMES } from '#server/payments/admin/payment-texts.ts';
import { providersOf } from '#server/payments/providers/providers.ts';
import type { Payment } from '#server/payments/stored-payments.ts';
import type { Refund } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import type { ListedOrder } from './listed-orders.ts';

const MAX_LOG_LINES = 50;

type Event = readonly [at: number, what: string, who: string];

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

/** The events of a payment. The change log has the requests for refunds; these are their results. */
function paymentEvents(services: Services, payment: Payment, refunds: readonly Refund[]): Event[] {
  const { amountPaise, method, createdAt, events, provider, reference } = payment;
  const what = `Payment of ${formatPaise(amountPaise)}`;
  const reporter = providersOf(services).get(provider)?.isPaidAtDoor ? 'Shop' : 'Payment provider';
  const paidAt = events.findIndex(({ state }) => state === 'paid');
  // What follows the payment, the shop did: it cancelled the order, or took that back.
  const whoAt = (index: number) => (paidAt >= 0 && index > paidAt ? 'Shop' : reporter);
  return [
    [createdAt, `${what} started: ${method}`, 'Customer'],
    // The refunds below show a state of 'refunded' already.
    ...events.flatMap(({ state, at }, index): Event[] =>
      state === 'refunded' ? [] : [[at, `${what}: ${STATE_NAMES[state]}`, whoAt(index)]],
    ),
    ...refunds
      .filter((refund) => refund.reference === reference && refund.state !== 'refunding')
      .map(({ state, paise, words, changedAt, byHand }): Event => {
        const text = `${REFUND_NAMES[state]}: ${formatPaise(paise)} ${words}`.trim();
        return [changedAt, text, byHand ? 'Shop' : reporter];
      }),
  ];
}

/** All that happened to an order: its payments, and what the staff and the customer changed. */
export async function renderHistory(
  services: Services,
  { id, createdAt }: ListedOrder,
  payments: readonly Payment[],
  refunds: readonly Refund[],
): Promise<ReactNode> {
  const log = await readChanges(services.db, { who: '', type: 'order', id }, MAX_LOG_LINES, 0);
  const history: Event[] = [
    [createdAt, 'Placed', 'Customer'],
    ...payments.flatMap((payment) => paymentEvents(services, payment, refunds)),
    ...log.toReversed().map((row): Event => [row.at, logText(row), row.who]),
  ];
  return (
    <>
      <h2>History</h2>
      <Table
        caption="Newest first"
        heads={['When', 'What', 'Who']}
        rows={history
          .toSorted(([one], [other]) => one - other)
          .toReversed()
          .map(([at, ...cells]) => [<Time at={at} />, ...cells])}
      />
    </>
  );
}
