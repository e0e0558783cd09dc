import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Pool, type PoolClient, type PoolConfig, type QueryResult, types } from 'pg';
import type { Database, Transaction } from '#server/db/database.ts';
import { isConnectionLost, isRace, postgresError, requireStorable } from '#server/db/errors.ts';
import { transactionOf } from '#server/db/query.ts';
import { migratePostgres } from './migrate.ts';

/** The size of the connection pool, and timeouts in ms. A request that would wait longer fails with a 503. */
const LIMITS = {
  max: 10,
  connectionTimeoutMillis: 2_000,
  lock_timeout: 2_000,
  statement_timeout: 4_000,
  idle_in_transaction_session_timeout: 4_000,
  // For a server that has stopped without closing its connections.
  query_timeout: 5_000,
  keepAlive: true,
} satisfies PoolConfig;

/**
 * How long a conflicting transaction is retried, from its first conflict on, and the pauses in between, in ms.
 * PostgreSQL itself takes a second to detect a deadlock.
 */
const RETRY_TIME = 2_000;

const FIRST_PAUSE = 2;

const MAX_PAUSE = 100;

/** Reads BIGINT, which is also the type of COUNT, as a number. No value is above 2^53. */
const TYPES: PoolConfig['types'] = {
  getTypeParser: (type, format) =>
    type === types.builtins.INT8 ? Number : types.getTypeParser(type, format),
};

/** Names each statement, so that a connection prepares it only once. Rewrites `?` to $1, $2 and so on. */
function createPrepared() {
  const statements = new Map<string, { readonly name: string; readonly text: string }>();
  return (sql: string) => {
    let count = 0;
    const known = statements.get(sql) ?? {
      name: `shop${statements.size}`,
      text: sql.replaceAll('?', () => {
        count += 1;
        return `$${count}`;
      }),
    };
    statements.set(sql, known);
    return known;
  };
}

/** @throws StorageError, or what `postgresError` leaves as it is */
const stored = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw postgresError(error);
  });

/** Commits, or throws. After a failed statement PostgreSQL answers COMMIT with ROLLBACK, without an error. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await stored(client.query('COMMIT'));
  if (command !== 'COMMIT')
    throw new Error('The transaction was rolled back, because its work ignored an error.');
}

/**
 * Transactions do not race: each locks the rows that others could change before it reads them. SERIALIZABLE would
 * need no locks, but all orders of a small shop share the same index pages. With 32 shoppers it rolled back 1.3
 * transactions per commit and used 1.6 times the CPU.
 */
export async function openPostgres(address: string, onLost: (error: Error) => void): Promise<Database> {
  await migratePostgres(address);
  const pool = new Pool({ connectionString: address, types: TYPES, ...LIMITS });
  // The pool replaces an idle connection that breaks. Without a listener, its error would end the process.
  pool.on('error', onLost);
  const prepared = createPrepared();

  const statementsOf = (on: Pool | PoolClient): Transaction => {
    const query = async (text: string, values: readonly unknown[]): Promise<QueryResult> =>
      stored(on.query({ ...prepared(text), values: requireStorable(values) }));
    return transactionOf({
      select: async (text, values) => (await query(text, values)).rows,
      change: async (text, values) => (await query(text, values)).rowCount ?? 0,
    });
  };

  async function attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await stored(pool.connect());
    // The pool listens only to idle connections. If this one breaks between two statements, the next statement fails.
    client.on('error', onLost);
    const transaction = statementsOf(client);
    let isBroken = false;
    try {
      await transaction.run(sql`BEGIN ISOLATION LEVEL READ COMMITTED`);
      const result = await work(transaction);
      await commit(client);
      return result;
    } catch (error) {
      isBroken = isConnectionLost(error);
      if (!isBroken) {
        await transaction.run(sql`ROLLBACK`).catch(() => {
          isBroken = true;
        });
      }
      throw error;
    } finally {
      client.removeListener('error', onLost);
      client.release(isBroken);
    }
  }

  const outside = statementsOf(pool);
  return {
    ...outside,
    rateLimits: outside,
    async write(work) {
      let deadline: number | undefined;
      for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, MAX_PAUSE)) {
        try {
          return await attempt(work);
        } catch (error) {
          deadline ??= performance.now() + RETRY_TIME;
          if (!isRace(error) || performance.now() + wait > deadline) throw error;
          await pause(wait * Math.random());
        }
      }
    },
    close: () => pool.end(),
  };
}
