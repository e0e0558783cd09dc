import { randomUUID } from 'node:crypto';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { MetaSchema, setMeta } from '#scripts/api/db/meta.ts';

const VERSION = "SELECT value FROM meta WHERE name = 'catalogue_version'";

/** Changes whenever the catalogue does. undefined as long as the database has none. */
export const catalogueVersion = async (db: Reader): Promise<string | undefined> =>
  (await db.get(MetaSchema, VERSION))?.value;

/** Lets one transaction at a time change the catalogue. Returns whether the database has one. */
export async function lockCatalogue(transaction: Transaction): Promise<boolean> {
  await transaction.run(
    "INSERT INTO meta (name, value) VALUES ('catalogue_version', '') ON CONFLICT (name) DO NOTHING",
  );
  return (await transaction.get(MetaSchema, `${VERSION} FOR NO KEY UPDATE`))?.value !== '';
}

/** Lets every process read the catalogue again. */
export const markCatalogueChanged = (transaction: Transaction): Promise<number> =>
  setMeta(transaction, 'catalogue_version', randomUUID());
