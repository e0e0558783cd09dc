import * as v from 'valibot';
import type { Transaction } from './database.ts';

export const MetaSchema = v.object({ value: v.string() });

/** The name of the row with the time of the last backup, in ms since 1970. */
export const BACKED_UP_AT = 'backed_up_at';

export const setMeta = (transaction: Transaction, name: string, value: string): Promise<number> =>
  transaction.run(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
