import { existsSync } from 'node:fs';
import { formatPaise } from '#domain/money.ts';
import { statusBadge } from '#domain/order.ts';
import { isoTime } from './clock.ts';
import { type Database, openDatabase } from './db/database.ts';
import { isMove, MOVES, type Move, statusAfter } from './order-moves.ts';
import { newestOrders, ordersStartingWith, type StoredOrder, withItems } from './orders.ts';
import { readSettings, SettingsError } from './settings.ts';

const USAGE = `npm run orders -- list
npm run orders -- show ORDER
npm run orders -- ${Object.keys(MOVES).join('|')} ORDER

ORDER is an order number or its first 8 characters.`;

/** What went wrong in words; ends the command with exit code 1. */
export class CommandError extends Error {}

const LISTED = 50;
const PREFIX_LEAST = 8;

const label = (status: number): string => statusBadge(status).label;

function theOrder(db: Database, start: string): StoredOrder {
  if (start.length < PREFIX_LEAST)
    throw new CommandError(`Give at least ${PREFIX_LEAST} characters of the order number.`);
  const [order, ...others] = ordersStartingWith(db, start);
  if (!order) throw new CommandError(`There is no order ${start}.`);
  if (others.length > 0) throw new CommandError(`More than one order starts with ${start}.`);
  return order;
}

const line = ({ id, status, totalPaise, createdAt }: StoredOrder): string =>
  [id, label(status).padEnd(10), formatPaise(totalPaise).padStart(14), isoTime(createdAt)].join('  ');

function show(db: Database, order: StoredOrder): string {
  const { items, shippingAddress } = withItems(db, order);
  return [
    line(order),
    ...items.map(({ quantity, productTitle }) => `  ${quantity} × ${productTitle}`),
    `  to ${Object.values(shippingAddress).join(', ')}`,
  ].join('\n');
}

async function move(db: Database, name: Move, start: string): Promise<string> {
  return db.write(() => {
    const order = theOrder(db, start);
    const status = statusAfter(name, order.status);
    if (status === undefined) {
      const from = MOVES[name].from.map(label).join(' or ');
      throw new CommandError(`Order ${order.id} is ${label(order.status)}; to ${name} it must be ${from}.`);
    }
    db.run('UPDATE orders SET status = ? WHERE number = ?', status, order.number);
    return `Order ${order.id}: ${label(order.status)} → ${label(status)}`;
  });
}

/** Runs one command and returns what it prints. @throws CommandError */
export async function runOrdersCommand(
  db: Database,
  [name = '', start = '']: readonly string[],
): Promise<string> {
  if (isMove(name) && start) return move(db, name, start);
  if (name === 'show' && start) return show(db, theOrder(db, start));
  if (name === 'list') return newestOrders(db, LISTED).map(line).join('\n') || 'There are no orders yet.';
  throw new CommandError(USAGE);
}

async function main(): Promise<void> {
  const { database } = readSettings(process.env);
  if (!existsSync(database))
    throw new CommandError(`There is no database ${database} yet. Start the shop first.`);
  const db = openDatabase(database);
  try {
    console.log(await runOrdersCommand(db, process.argv.slice(2)));
  } finally {
    db.close();
  }
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    const told = error instanceof CommandError || error instanceof SettingsError;
    console.error(told ? error.message : error);
    process.exit(1);
  });
}
