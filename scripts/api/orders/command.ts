import { formatPaise } from '#domain/money.ts';
import { STATUSES, statusOf } from '#domain/order-status.ts';
import type { Database, Reader } from '#scripts/api/db/database.ts';
import type { Post } from '#scripts/api/letters/outbox.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { moveOrder } from './move-order.ts';
import { isMove, MOVES, type Move } from './moves.ts';
import { newestOrders, ordersStartingWith, type StoredOrder, sentOrders } from './stored-orders.ts';

const USAGE = `npm run orders -- list
npm run orders -- show ORDER
npm run orders -- ${Object.keys(MOVES).join('|')} ORDER

ORDER is an order number or its first 8 characters.`;

/** Who the office's log names for what is done in a terminal. */
const AUTHOR = { id: null, who: 'npm run orders' };

/** How many orders `list` prints. */
const LISTED = 50;

/** The least number of characters of an order number that a command accepts. */
const PREFIX_LEAST = 8;

const label = (status: number): string => statusOf(status).label;

const LABEL_WIDTH = Math.max(...Object.values(STATUSES).map((status) => status.label.length));

async function orderByPrefix(db: Reader, prefix: string): Promise<StoredOrder> {
  if (prefix.length < PREFIX_LEAST)
    throw new ExplainedError(`Give at least ${PREFIX_LEAST} characters of the order number.`);
  const [order, ...others] = await ordersStartingWith(db, prefix);
  if (!order) throw new ExplainedError(`There is no order ${prefix}.`);
  if (others.length > 0) throw new ExplainedError(`More than one order starts with ${prefix}.`);
  return order;
}

const line = ({ id, status, totalPaise, createdAt }: StoredOrder): string =>
  [id, label(status).padEnd(LABEL_WIDTH), formatPaise(totalPaise).padStart(14), isoTime(createdAt)].join(
    '  ',
  );

async function show(db: Reader, order: StoredOrder): Promise<string> {
  const items = (await sentOrders(db, [order])).flatMap((found) => found.items);
  return [
    line(order),
    ...items.map(({ quantity, productTitle }) => `  ${quantity} × ${productTitle}`),
    `  to ${Object.values(order.address).join(', ')}`,
  ].join('\n');
}

function change(db: Database, post: Post, move: Move, prefix: string): Promise<string> {
  return db.write(async (transaction) => {
    const { id } = await orderByPrefix(transaction, prefix);
    const moved = await moveOrder(transaction, post, { id, move }, (entry) =>
      recordChange(transaction, AUTHOR, post.clock(), entry),
    );
    if (!moved) throw new ExplainedError(`There is no order ${prefix}.`);
    if (!moved.isDone) throw new ExplainedError(`Order ${id} ${moved.reason}.`);
    return `Order ${id}: ${label(moved.order.status)} → ${label(moved.status)}`;
  });
}

/** Runs `npm run orders` with the given arguments, and returns the text to print. @throws ExplainedError */
export async function runOrdersCommand(
  db: Database,
  [name = '', prefix = '']: readonly string[],
  post: Post,
): Promise<string> {
  if (isMove(name) && prefix) return change(db, post, name, prefix);
  if (name === 'show' && prefix) return show(db, await orderByPrefix(db, prefix));
  if (name === 'list') {
    return (await newestOrders(db, LISTED)).map(line).join('\n') || 'There are no orders yet.';
  }
  throw new ExplainedError(USAGE);
}
