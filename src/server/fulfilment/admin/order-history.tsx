import type { ReactNode } from 'react';
import { type ChangeRow, readChanges } from '#server/admin/change-log.ts';
import { Table, Time } from '#server/admin/views/pieces.tsx';
import { type Money, moneyEvents } from '#server/payments/admin/money-section.tsx';
import type { Services } from '#server/services/services.ts';
import type { ListedOrder } from './listed-orders.ts';

const MAX_LOG_LINES = 50;

type Event = readonly [at: number, what: string, who: string];

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** In the log: the staff placed an order for a customer. */
export const PLACED = 'placed it for the customer';

/** Such as 'shipped: status Shipped, tracking AB123'. */
function logText({ action, to }: ChangeRow): string {
  const values = Object.entries(to ?? {}).map(([name, value]) => `${name} ${shown(value)}`);
  return values.length === 0 ? action : `${action}: ${values.join(', ')}`;
}

/** All that happened to an order: its payments, and what the staff and the customer changed. */
export async function renderHistory(
  services: Services,
  { id, createdAt }: ListedOrder,
  money: Money,
): Promise<ReactNode> {
  const log = await readChanges(services.db, { who: '', type: 'order', id }, MAX_LOG_LINES, 0);
  const history: Event[] = [
    ...(log.some(({ action }) => action === PLACED) ? [] : [[createdAt, 'Placed', 'Customer'] as const]),
    ...moneyEvents(services, money),
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
