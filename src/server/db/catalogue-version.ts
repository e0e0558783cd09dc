import { randomUUID } from 'node:crypto';
import type { Reader, Transaction } from '#server/db/database.ts';
import { META, readMeta, setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';

const VERSION = 'catalogue_version';

/** Changes with the catalogue. undefined without a catalogue. */
export const catalogueVersion = (db: Reader): Promise<string | undefined> => readMeta(db, VERSION);

/** Lets one transaction at a time change the catalogue. Returns whether the database has one. */
export async function lockCatalogue(transaction: Transaction): Promise<boolean> {
  const insert = q.insertInto('meta').values({ name: VERSION, value: '' });
  await transaction.run(insert.onConflict((row) => row.column('name').doNothing()));
  return (await transaction.row(META.where('name', '=', VERSION).forNoKeyUpdate()))?.value !== '';
}

/** Makes every process read the catalogue again. Returns its new version. */
export async function markCatalogueChanged(transaction: Transaction): Promise<string> {
  const version = randomUUID();
  await setMeta(transaction, VERSION, version);
  return version;
}

/** Stores which version was last exported to a folder, or imported from one. */
export const markCatalogueShared = (transaction: Transaction, version: string): Promise<number> =>
  setMeta(transaction, 'catalogue_shared', version);

/** Whether the catalogue is unchanged since the last export or import. */
export async function isCatalogueShared(db: Reader): Promise<boolean> {
  const shared = await readMeta(db, 'catalogue_shared');
  return shared !== undefined && shared === (await catalogueVersion(db));
}
