import { html } from 'hono/html';
import { formatPaise } from '#domain/money.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { type ChangeRow, readChanges } from '#scripts/api/office/change-log.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { time } from '#scripts/api/office/views/pieces.ts';
import { type PaymentRecord, STATE_NAMES } from '#scripts/api/payments/office/payment-records.ts';
import type { ListedOrder } from './listed-orders.ts';

/** The most lines of the log that an order shows. */
const LINES = 50;

interface Event {
  readonly at: number;
  readonly what: Content;
  readonly who: string;
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

function paymentEvents(record: PaymentRecord): Event[] {
  const { state, amountPaise, method, createdAt, changedAt, reportedCurrency } = record;
  const amount = formatPaise(amountPaise);
  const started = { at: createdAt, what: `Payment of ${amount} started: ${method}`, who: 'Customer' };
  if (state === 'started') return [started];
  const isOfCancelling = state === 'refund_due' && reportedCurrency === null;
  const who = isOfCancelling ? 'Shop' : 'Payment provider';
  return [started, { at: changedAt, what: `Payment of ${amount}: ${STATE_NAMES[state]}`, who }];
}

/** Rows of a table: what happened to an order, newest first. */
export async function historyOf(
  db: Reader,
  { id, createdAt }: ListedOrder,
  payments: readonly PaymentRecord[],
): Promise<Content[][]> {
  const log = await readChanges(db, { who: '', type: 'order', id }, LINES, 0);
  const events: Event[] = [
    { at: createdAt, what: 'Placed', who: 'Customer' },
    ...payments.flatMap(paymentEvents),
    ...log.toReversed().map((row) => ({ at: row.at, what: logText(row), who: row.who })),
  ];
  const newestFirst = events.toSorted((one, other) => one.at - other.at).toReversed();
  return newestFirst.map(({ at, what, who }) => [time(at), html`${what}`, who]);
}
