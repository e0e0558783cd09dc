import type { CompiledQuery, QueryExecutorProvider } from 'kysely';
import type * as v from 'valibot';

export type RowSchema = v.GenericSchema<unknown, unknown>;

/** A value for a statement's `?`. */
export type Value = string | number | null | Uint8Array;

/** A query of the builder `q`, or Kysely's `sql`. */
export interface Query<Row> {
  readonly compile: (executor: QueryExecutorProvider) => CompiledQuery<Row>;
}

/** Schemas of the columns that hold JSON. */
export type Parsers<Row> = { readonly [C in keyof Row]?: RowSchema };

export type Parsed<Row, P> = {
  [C in keyof Row]: C extends keyof P
    ? P[C] extends v.GenericSchema
      ? v.InferOutput<P[C]>
      : Row[C]
    : Row[C];
};

export interface Reader {
  /** @param parsers for the columns that hold JSON */
  readonly rows: <Row, P extends Parsers<Row>>(query: Query<Row>, parsers?: P) => Promise<Parsed<Row, P>[]>;
  readonly row: <Row, P extends Parsers<Row>>(
    query: Query<Row>,
    parsers?: P,
  ) => Promise<Parsed<Row, P> | undefined>;
}

export interface Transaction extends Reader {
  /** Returns how many rows changed. */
  readonly run: (query: Query<unknown>) => Promise<number>;
}

/**
 * A database of either kind. Reads outside a transaction see committed data. Transactions run concurrently. If a
 * decision depends on a row, its query must end with `forNoKeyUpdate()`, which locks the row.
 */
export interface Database extends Reader {
  /**
   * Runs `work` in a transaction and resolves when its changes are on disk. An error in `work` rolls them back.
   * `work` must await nothing but its own transaction, because other transactions may wait for it.
   * @throws StorageError if nothing was stored
   */
  readonly write: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Has the table rate_limits, whose changes wait for no disk: each query is a transaction of its own. The processes of
   * a PostgreSQL share it. For SQLite it ends with the process.
   */
  readonly rateLimits: Transaction;
  /** Finishes the pending writes, then closes the database. Later calls are refused. */
  readonly close: () => Promise<void>;
}
