import type { Reader, Transaction } from './database.ts';
import { prepared, q } from './query.ts';

/** The row with the time of the last backup, in ms since 1970. */
export const BACKED_UP_AT = 'backed_up_at';

/** The row with the store record, as JSON. */
export const STORE_INFO = 'store_info';

export const META = q.selectFrom('meta').select('value');

/** The value of a row. */
export const NAMED = prepared(({ name }: { name: string }) => META.where('name', '=', name));

export const readMeta = async (db: Reader, name: string): Promise<string | undefined> =>
  (await db.row(NAMED({ name })))?.value;

/**
 * Stores a value that only grows, such as an ISO day. Of several processes, only the first gets true.
 * @param latest a stored value beyond it comes from a wrong clock, and is replaced
 */
export async function advanceMeta(
  transaction: Transaction,
  name: string,
  value: string,
  latest: string,
): Promise<boolean> {
  const insert = q.insertInto('meta').values({ name, value });
  const changed = await transaction.run(
    insert.onConflict((row) =>
      row
        .column('name')
        .doUpdateSet({ value })
        .where(({ eb, or }) => or([eb('meta.value', '<', value), eb('meta.value', '>', latest)])),
    ),
  );
  return changed > 0;
}

export const setMeta = (transaction: Transaction, name: string, value: string): Promise<number> =>
  transaction.run(
    q
      .insertInto('meta')
      .values({ name, value })
      .onConflict((row) => row.column('name').doUpdateSet({ value })),
  );
