import { CompiledQuery } from 'kysely';
import * as v from 'valibot';
import type { Query, Reader, RowSchema, Transaction, Value } from '#server/db/database.ts';
import { columnOf } from '#server/db/query.ts';
import { TABLES } from '#server/db/tables.ts';

/** Any row of the database. */
export const anyRow = v.record(v.string(), v.unknown());

export const countRow = v.object({ count: v.number() });

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

export const getRow = async <S extends RowSchema>(
  db: Reader,
  row: S,
  text: string,
  ...values: readonly Value[]
): Promise<v.InferOutput<S> | undefined> => (await allRows(db, row, text, ...values))[0];

export const runSql = (transaction: Transaction, text: string, ...values: readonly Value[]) =>
  transaction.run(queryOf(text, values));
