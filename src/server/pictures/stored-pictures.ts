import type { Reader, Transaction } from '#server/db/database.ts';
import { readMeta, STORE_INFO } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { isImageName, isRemote, isSystemFile } from '#server/http/names.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Services } from '#server/services/services.ts';
import { type PreparedPicture, preparePicture } from './prepare-picture.ts';

/** For the browser's file dialog. The server checks the file itself. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif';

const MAX_NAME_LENGTH = 80;

/** A form of 32 MB could contain thousands of small files. */
const MAX_FILES = 20;

/**
 * Prepares and stores the pictures of a form at once, so that an error elsewhere in the form does not lose them. Returns a
 * sentence for each refused file.
 */
export async function storeUploads(services: Services, files: readonly FormDataEntryValue[]) {
  const names: string[] = [];
  const refusals: string[] = [];
  const sent = files
    .filter((file) => typeof file !== 'string')
    .filter(({ size, name }) => size > 0 && !isSystemFile(name));
  if (sent.length > MAX_FILES) {
    return { names, refusals: [`At most ${MAX_FILES} pictures can be uploaded at once. None was added.`] };
  }
  for (const file of sent) {
    try {
      const picture = await preparePicture(new Uint8Array(await file.arrayBuffer()));
      await services.db.write((transaction) => addPicture(transaction, picture));
      names.push(picture.name);
    } catch (error) {
      if (!(error instanceof ExplainedError)) throw error;
      refusals.push(`“${file.name.slice(0, MAX_NAME_LENGTH)}” was not added. ${error.message}`);
    }
  }
  return { names, refusals };
}

const NAME = q.selectFrom('pictures').select('name');

/** Returns the local pictures that are not stored. Addresses at other hosts are not checked. */
export async function missingPictures(db: Reader, pictures: readonly string[]): Promise<ReadonlySet<string>> {
  const local = pictures.filter((picture) => !isRemote(picture));
  const names = local.filter(isImageName);
  const rows = await db.rows(NAME.where('name', 'in', names));
  const stored = new Set(rows.map(({ name }) => name));
  return new Set(local.filter((name) => !stored.has(name)));
}

/** Stores a picture. An existing name is the same picture, because names are hashes. */
export async function addPicture(
  transaction: Transaction,
  { name, etag, bytes }: PreparedPicture,
): Promise<void> {
  const insert = q.insertInto('pictures').values({ name, etag, bytes });
  await transaction.run(insert.onConflict((row) => row.column('name').doNothing()));
}

export const pictureNames = async (db: Reader): Promise<string[]> =>
  (await db.rows(NAME.orderBy('name'))).map(({ name }) => name);

/** Returns all names in products, also in discontinued ones, and in the store record. No name has a sign that JSON escapes. */
async function usedNames(db: Reader): Promise<ReadonlySet<string | undefined>> {
  const products = await db.rows(q.selectFrom('products').select('dto'));
  const texts = [...products.map(({ dto }) => dto), (await readMeta(db, STORE_INFO)) ?? ''];
  return new Set(texts.flatMap((json) => [...json.matchAll(/"([\w.-]+)"/g)].map(([, name]) => name)));
}

/** Returns the stored pictures that a product or the store record uses. */
export async function usedPictures(db: Reader): Promise<string[]> {
  const used = await usedNames(db);
  return (await pictureNames(db)).filter((name) => used.has(name));
}

/** Deletes those of the named pictures that are no longer used. Call it when they were replaced or removed. */
export async function removePictures(transaction: Transaction, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const used = await usedNames(transaction);
  const unused = names.filter((name) => !used.has(name));
  await transaction.run(q.deleteFrom('pictures').where('name', 'in', unused));
}
