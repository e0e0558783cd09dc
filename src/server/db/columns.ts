import * as v from 'valibot';
import type { Transaction, Value } from './database.ts';

/** Returns 'created_at' for 'createdAt'. */
const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the columns of a SELECT, each renamed from snake_case to its name in the program. */
export const columnsOf = (row: v.ObjectEntries): string =>
  Object.keys(row)
    .map((name) => `${columnOf(name)} AS "${name}"`)
    .join(', ');

/** Reads a column of JSON. */
export const json = <S extends v.GenericSchema>(schema: S) => v.pipe(v.string(), v.parseJson(), schema);

/** Returns the text to append to a column of `appendedTo`. */
export const appended = (row: object): string => `${JSON.stringify(row)},`;

/** Reads a column of JSON rows, each with a comma after it. */
export const appendedTo = <S extends v.GenericSchema>(row: S) =>
  v.pipe(
    v.string(),
    v.transform((text) => JSON.parse(`[${text.replace(/,$/, '')}]`)),
    v.array(row),
  );

/** Returns an INSERT for a row with the names of the program. */
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
