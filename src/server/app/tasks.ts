import { STATUSES } from '#domain/order-status.ts';
import { plural } from '#domain/text.ts';
import type { MoneyStatus } from '#server/db/tables.ts';
import { countEmails } from '#server/email/outbox.ts';
import {
  countOrders,
  IS_TO_CONFIRM,
  IS_TO_UNPACK,
  LACKS_INVOICE,
  ofMoney,
  ofStatus,
  totalsByStanding,
} from '#server/fulfilment/admin/listed-orders.ts';
import { countOpenReturns } from '#server/fulfilment/returns/stored-returns.ts';
import { ordersNeedingAttention } from '#server/payments/attention.ts';
import type { Services } from '#server/services/services.ts';
import { lowProducts } from '#server/stock/stored-stock.ts';

interface TaskKind {
  /** The page where it is done, below /admin. Those who may open it see the task. */
  readonly path: `/${string}`;
  /** The page that does it, if `path` only leads there. */
  readonly needs?: `/${string}`;
  readonly count: (services: Pick<Services, 'db' | 'clock'>) => Promise<number>;
  /** @param count at least 1 */
  readonly text: (count: number) => string;
}

/** Payments are counted only up to this number. */
const MAX_COUNTED = 100;

/** The money of orders that nobody packs any more. */
const REFUNDED: ReadonlySet<MoneyStatus> = new Set(['refund_due', 'refunding', 'refunded']);

/** The tasks of the staff, the most urgent first, for the admin's first page and the owners' daily email. */
const TASKS: readonly TaskKind[] = [
  {
    path: '/orders',
    needs: '/orders/cash',
    count: async ({ db, clock }) => (await ordersNeedingAttention(db, clock(), MAX_COUNTED)).length,
    text: (count) => `${plural(count, 'payment')} ${count === 1 ? 'needs' : 'need'} attention`,
  },
  {
    path: '/orders/returns',
    count: ({ db }) => countOpenReturns(db),
    text: (count) => `${plural(count, 'return')} to answer or settle`,
  },
  {
    path: '/orders?confirm=yes',
    needs: '/orders/id/correct',
    count: ({ db }) => countOrders(db, IS_TO_CONFIRM),
    text: (count) => `${plural(count, 'cash order')} to confirm`,
  },
  {
    path: '/orders?unpack=yes',
    count: ({ db }) => countOrders(db, IS_TO_UNPACK),
    text: (count) => `${plural(count, 'cancelled order')} whose slip was printed`,
  },
  {
    path: `/orders?status=${STATUSES.processing.code}`,
    async count({ db }) {
      const rows = await totalsByStanding(db, ofStatus(STATUSES.processing.code));
      const toPack = rows.filter(({ money }) => !REFUNDED.has(money));
      return toPack.reduce((sum, { count }) => sum + count, 0) - (await countOrders(db, IS_TO_CONFIRM));
    },
    text: (count) => `${plural(count, 'order')} to pack`,
  },
  {
    path: '/catalogue?status=low',
    count: async ({ db }) => (await lowProducts(db)).size,
    text: (count) => `${plural(count, 'product')} low in stock`,
  },
  {
    path: '/orders?invoice=missing',
    needs: '/orders/id/correct',
    count: ({ db }) => countOrders(db, LACKS_INVOICE),
    text: (count) => `${plural(count, 'paid order')} without the GST invoice that was asked for`,
  },
  {
    path: '/orders?money=to_collect',
    needs: '/orders/cash',
    count: ({ db }) => countOrders(db, ofMoney('to_collect')),
    text: (count) => `Cash of ${plural(count, 'order')} to collect`,
  },
  {
    path: '/emails',
    count: async ({ db }) => (await countEmails(db)).get('failed') ?? 0,
    text: (count) => `${plural(count, 'email')} could not be sent`,
  },
];

/** The tasks that are open now. @param isIncluded selects paths */
export async function openTasks(
  services: Pick<Services, 'db' | 'clock'>,
  isIncluded: (path: string) => boolean,
) {
  const rows = await Promise.all(
    TASKS.filter(({ path, needs = path }) => isIncluded(needs)).map(async ({ path, text, count }) => {
      const found = await count(services);
      return found > 0 ? [{ path, text: text(found) }] : [];
    }),
  );
  return rows.flat();
}
