import { randomUUID } from 'node:crypto';
import type { Reader, Transaction } from '#server/db/database.ts';
import { MetaSchema, setMeta } from '#server/db/meta.ts';

const VERSION = "SELECT value FROM meta WHERE name = 'catalogue_version'";

/** Changes with the catalogue. undefined if the database has none. */
export const catalogueVersion = async (db: Reader): Promise<string | undefined> =>
  (await db.get(MetaSchema, VERSION))?.value;

/** Lets one transaction at a time change the catalogue. Returns whether the database has one. */
export async function lockCatalogue(transaction: Transaction): Promise<boolean> {
  await transaction.run(
    "INSERT INTO meta (name, value) VALUES ('catalogue_version', '') ON CONFLICT (name) DO NOTHING",
  );
  return (await transaction.get(MetaSchema, `${VERSION} FOR NO KEY UPDATE`))?.value !== '';
}

/** Makes every process read the catalogue again. Returns its new version. */
export async function markCatalogueChanged(transaction: Transaction): Promise<string> {
  const version = randomUUID();
  await setMeta(transaction, 'catalogue_version', version);
  return version;
}

/** Stores which version was last exported to a folder, or imported from one. */
export const markCatalogueShared = (transaction: Transaction, version: string): Promise<number> =>
  setMeta(transaction, 'catalogue_shared', version);

/** Whether the catalogue is unchanged since the last export or import. */
export async function isCatalogueShared(db: Reader): Promise<boolean> {
  const shared = await db.get(MetaSchema, "SELECT value FROM meta WHERE name = 'catalogue_shared'");
  return shared !== undefined && shared.value === (await catalogueVersion(db));
}
