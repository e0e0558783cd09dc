import * as v from 'valibot';
import type { Transaction } from './database.ts';

export const MetaSchema = v.object({ value: v.string() });

/** The row with the time of the last backup, in ms since 1970. */
export const BACKED_UP_AT = 'backed_up_at';

/**
 * Stores a value that only grows, such as an ISO day. If several processes store the same value, only the first
 * gets true.
 */
export const advanceMeta = async (transaction: Transaction, name: string, value: string): Promise<boolean> =>
  (await transaction.run(
    `INSERT INTO meta (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE meta.value < excluded.value`,
    name,
    value,
  )) > 0;

export const setMeta = (transaction: Transaction, name: string, value: string): Promise<number> =>
  transaction.run(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
