import * as v from 'valibot';
import type { Transaction } from './database.ts';

export const MetaSchema = v.object({ value: v.string() });

export const setMeta = (transaction: Transaction, name: string, value: string): Promise<number> =>
  transaction.run(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  );
