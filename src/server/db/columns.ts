import * as v from 'valibot';
import type { Transaction, Value } from './database.ts';

/** 'created_at' of 'createdAt' */
const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns to SELECT for a row: each has the row's name in the program, and its own in the database. */
export const columnsOf = (row: v.ObjectEntries): string =>
  Object.keys(row)
    .map((name) => `${columnOf(name)} AS "${name}"`)
    .join(', ');

/** What is appended to a column of `appendedTo`. */
export const appended = (row: object): string => `${JSON.stringify(row)},`;

/** How a column is read that holds rows as JSON, one after the other. */
export const appendedTo = <S extends v.GenericSchema>(row: S) =>
  v.pipe(
    v.string(),
    v.transform((text) => JSON.parse(`[${text.replace(/,$/, '')}]`)),
    v.array(row),
  );

/** An INSERT of a row by the names that it has in the program. */
export function insertOf(table: string, row: Readonly<Record<string, Value>>): [sql: string, ...Value[]] {
  const columns = Object.keys(row).map(columnOf);
  const places = columns.map(() => '?');
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    ...Object.values(row),
  ];
}

export const insertRow = (
  transaction: Transaction,
  table: string,
  row: Readonly<Record<string, Value>>,
): Promise<number> => transaction.run(...insertOf(table, row));
