import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { type ChangeRow, readChanges } from '#server/admin/change-log.ts';
import { Time } from '#server/admin/views/pieces.tsx';
import { type PaymentRecord, STATE_NAMES } from '#server/payments/admin/payment-records.ts';
import { REFUND_NAMES } from '#server/payments/admin/refund-pages.tsx';
import { providersOf } from '#server/payments/providers/table.ts';
import type { Refund } from '#server/payments/stored-refunds.ts';
import type { Services } from '#server/services/services.ts';
import type { ListedOrder } from './listed-orders.ts';

const MOST_LOG_LINES = 50;

interface Event {
  readonly at: number;
  readonly what: ReactNode;
  readonly who: string;
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

/** The events of a payment. The change log has the requests for refunds; these are their results. */
function paymentEvents(services: Services, record: PaymentRecord, refunds: readonly Refund[]): Event[] {
  const { amountPaise, method, createdAt, events, provider, reference } = record;
  const amount = formatPaise(amountPaise);
  const reporter = providersOf(services).get(provider)?.isPaidAtDoor ? 'Shop' : 'Payment provider';
  const paidAt = events.findIndex(({ state }) => state === 'paid');
  return [
    { at: createdAt, what: `Payment of ${amount} started: ${method}`, who: 'Customer' },
    ...events.flatMap(({ state, at }, index) => {
      // The refunds below show this already.
      if (state === 'refunded') return [];
      // What follows the payment, the shop did: it cancelled the order, or took that back.
      const who = paidAt >= 0 && index > paidAt ? 'Shop' : reporter;
      return [{ at, what: `Payment of ${amount}: ${STATE_NAMES[state]}`, who }];
    }),
    ...refunds
      .filter((refund) => refund.reference === reference && refund.state !== 'refunding')
      .map(({ state, paise, words, changedAt, byHand }) => ({
        at: changedAt,
        what: `${REFUND_NAMES[state]}: ${formatPaise(paise)} ${words}`.trim(),
        who: byHand ? 'Shop' : reporter,
      })),
  ];
}

/** The rows of the history table, newest first. */
export async function historyOf(
  services: Services,
  { id, createdAt }: ListedOrder,
  payments: readonly PaymentRecord[],
  refunds: readonly Refund[],
): Promise<ReactNode[][]> {
  const log = await readChanges(services.db, { who: '', type: 'order', id }, MOST_LOG_LINES, 0);
  const events: Event[] = [
    { at: createdAt, what: 'Placed', who: 'Customer' },
    ...payments.flatMap((record) => paymentEvents(services, record, refunds)),
    ...log.toReversed().map((row) => ({ at: row.at, what: logText(row), who: row.who })),
  ];
  const newestFirst = events.toSorted((one, other) => one.at - other.at).toReversed();
  return newestFirst.map(({ at, what, who }) => [<Time at={at} />, what, who]);
}
