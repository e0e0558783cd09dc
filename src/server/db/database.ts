import type * as v from 'valibot';
import type { Limit, Limiter } from './limiter.ts';

export type RowSchema = v.GenericSchema<unknown, unknown>;

/** What a statement's `?` may stand for. */
export type Value = string | number | null | Uint8Array;

/** Reads rows, and checks each row against a schema. */
export interface Reader {
  readonly all: <S extends RowSchema>(
    row: S,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<v.InferOutput<S>[]>;
  readonly get: <S extends RowSchema>(
    row: S,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<v.InferOutput<S> | undefined>;
}

export interface Transaction extends Reader {
  /** Returns how many rows changed. */
  readonly run: (sql: string, ...values: readonly Value[]) => Promise<number>;
}

/** The pool of connections to PostgreSQL. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  /** How many reads and transactions wait for a connection. */
  readonly waiting: number;
}

/**
 * What every kind of database offers to the shop. Outside of transactions it reads what is committed. Transactions can run
 * at the same time: if a decision depends on a row, its SELECT must end with `FOR NO KEY UPDATE`, which locks the row.
 */
export interface Database extends Reader {
  /**
   * Runs `work` in a transaction, and resolves when its changes are on the disk. An error of `work` undoes them. `work`
   * must await nothing but its own transaction, because other transactions may wait for its end.
   * @throws StorageError where nothing was stored
   */
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /** Opens the limiter of this name. On PostgreSQL all processes share its count; on SQLite it is in memory. */
  readonly openLimiter: (name: string, limit: Limit) => Limiter;
  /** undefined for SQLite */
  readonly poolState: () => PoolState | undefined;
  /** Finishes the writes that were already requested, then closes the database. Later calls are refused. */
  readonly close: () => Promise<void>;
}
