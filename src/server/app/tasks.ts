import { STATUSES } from '#domain/order-status.ts';
import type { Area } from '#server/admin/roles.ts';
import { countEmails } from '#server/email/outbox.ts';
import { countByStatus } from '#server/orders/admin/listed-orders.ts';
import { openReturns } from '#server/orders/returns/stored-returns.ts';
import { paymentsNeedingAttention } from '#server/payments/admin/payment-records.ts';
import type { Services } from '#server/services/services.ts';

/** Something that may wait for the staff. */
interface Waiting {
  /** Who is shown it, and may do something about it. */
  readonly area: Area;
  /** Where that is done, below /admin. */
  readonly path: `/${string}`;
  readonly count: (services: Pick<Services, 'db' | 'clock'>) => Promise<number>;
  /** @param count at least 1 */
  readonly text: (count: number) => string;
}

/** Payments and returns are counted up to this number. */
const COUNTED_MOST = 100;

/** One 'order', several 'orders'. */
const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What may wait for the staff, the most urgent first. The admin's first page and the owners' daily email read it. */
const TASKS: readonly Waiting[] = [
  {
    area: 'orders',
    path: '/orders',
    count: async ({ db }) => (await paymentsNeedingAttention(db, COUNTED_MOST)).length,
    text: (count) => `There is money to look at: ${some(count, 'payment')}`,
  },
  {
    area: 'orders',
    path: '/orders/returns',
    count: async ({ db }) => (await openReturns(db, COUNTED_MOST)).length,
    text: (count) => `${some(count, 'return')} to answer or settle`,
  },
  {
    area: 'orders',
    path: `/orders?status=${STATUSES.processing.code}`,
    count: async ({ db }) => (await countByStatus(db)).get(STATUSES.processing.code) ?? 0,
    text: (count) => `${some(count, 'order')} to pack`,
  },
  {
    area: 'emails',
    path: '/emails',
    count: async ({ db }) => (await countEmails(db)).get('failed') ?? 0,
    text: (count) => `${some(count, 'email')} could not be sent`,
  },
];

export interface OpenTask {
  readonly text: string;
  readonly path: string;
}

/** What waits now. @param isAsked which areas are asked about */
export async function openTasks(
  services: Pick<Services, 'db' | 'clock'>,
  isAsked: (area: Area) => boolean,
): Promise<OpenTask[]> {
  const rows = await Promise.all(
    TASKS.filter(({ area }) => isAsked(area)).map(async ({ path, text, count }) => {
      const found = await count(services);
      return found > 0 ? [{ path, text: text(found) }] : [];
    }),
  );
  return rows.flat();
}
