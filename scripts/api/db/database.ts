import type * as v from 'valibot';

export type RowSchema = v.GenericSchema<unknown, unknown>;

/** What a statement's `?` may stand for. */
export type Value = string | number | null | Uint8Array;

/** Reads. Every row that is read passes a schema. */
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

/**
 * The port behind which each kind of database stands. Outside of transactions it reads what is committed. Other transactions
 * run at the same time: one that decides by a row ends that SELECT with `FOR NO KEY UPDATE`, which locks the row.
 */
export interface Database extends Reader {
  /**
   * Runs `work` in a transaction, and resolves when its changes are on the disk. An error of `work` undoes them. `work`
   * awaits nothing but its own transaction, because others may wait for it. @throws StorageError where nothing was stored
   */
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /** Stores what is being written, then lets go. Whatever comes later is refused. */
  readonly close: () => Promise<void>;
}
