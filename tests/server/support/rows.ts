import { CompiledQuery } from 'kysely';
import * as v from 'valibot';
import type { Database, Query, Reader, RowSchema, Transaction, Value } from '#server/db/database.ts';
import { columnOf } from '#server/db/query.ts';
import { TABLES } from '#server/db/tables.ts';

/** The names of the tables in the database. */
export const TABLE_NAMES = Object.keys(TABLES).map(columnOf);

const queryOf = (text: string, values: readonly Value[]): Query<unknown> => ({
  compile: () => CompiledQuery.raw(text, [...values]),
});

/** Runs SQL as text: a test names the columns of the database itself. */
export const allRows = async <S extends RowSchema>(
  db: Reader,
  row: S,
  text: string,
  ...values: readonly Value[]
): Promise<v.InferOutput<S>[]> => v.parse(v.array(row), await db.rows(queryOf(text, values)));

/** Any row of the database. */
const anyRow = v.record(v.string(), v.unknown());

export const rowsOf = (db: Reader, text: string, ...values: readonly Value[]) =>
  allRows(db, anyRow, text, ...values);

export const rowOf = async (db: Reader, text: string, ...values: readonly Value[]) =>
  (await rowsOf(db, text, ...values))[0];

/** The values of the first column. */
export const valuesOf = async (db: Reader, text: string, ...values: readonly Value[]): Promise<unknown[]> =>
  (await rowsOf(db, text, ...values)).map((row) => Object.values(row)[0]);

/** The value of the first column in the first row. */
export const firstValue = async (db: Reader, text: string, ...values: readonly Value[]): Promise<unknown> =>
  (await valuesOf(db, text, ...values))[0];

/** @param from a table, and a condition after it */
export const countRows = async (db: Reader, from: string, ...values: readonly Value[]): Promise<number> =>
  Number(await firstValue(db, `SELECT count(*) FROM ${from}`, ...values));

/** Runs a change, on a database in a transaction of its own. */
export const runSql = (
  db: Database | Transaction,
  text: string,
  ...values: readonly Value[]
): Promise<number> => {
  const query = queryOf(text, values);
  return 'write' in db ? db.write((transaction) => transaction.run(query)) : db.run(query);
};
