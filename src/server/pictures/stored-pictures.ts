import * as v from 'valibot';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isImageName, isRemote } from '#server/http/names.ts';
import type { Services } from '#server/services/services.ts';
import { type PreparedPicture, preparePicture } from './prepare-picture.ts';

export interface Uploads {
  /** The file names of the pictures that were stored. */
  readonly names: readonly string[];
  /** A sentence for each file that was refused. */
  readonly refusals: readonly string[];
}

/** The types that a file field offers. The server looks at the file itself. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif';

const LONGEST_NAME = 80;

/** A form of 32 MB has room for many thousands of small files. */
const MOST_FILES = 20;

/**
 * Makes pictures of the files of a form and stores them, before anything shows them: so they are not lost when something
 * else in the form is wrong. Nothing of a refused file is stored.
 */
export async function storeUploads(
  services: Services,
  files: readonly FormDataEntryValue[],
): Promise<Uploads> {
  const names: string[] = [];
  const refusals: string[] = [];
  const sent = files.filter((file) => typeof file !== 'string').filter(({ size }) => size > 0);
  if (sent.length > MOST_FILES) {
    return { names, refusals: [`At most ${MOST_FILES} pictures can be uploaded at once. None was added.`] };
  }
  for (const file of sent) {
    const prepared = await preparePicture(new Uint8Array(await file.arrayBuffer()));
    if (prepared.status === 'refused') {
      refusals.push(`“${file.name.slice(0, LONGEST_NAME)}” was not added. ${prepared.reason}`);
    } else {
      await services.db.write((transaction) => addPicture(transaction, prepared.picture));
      names.push(prepared.picture.name);
    }
  }
  return { names, refusals };
}

const NameSchema = v.object({ name: v.string() });

/** Which of the pictures are neither stored here nor at another host. */
export async function missingPictures(db: Reader, pictures: readonly string[]): Promise<ReadonlySet<string>> {
  const local = pictures.filter((picture) => !isRemote(picture));
  const names = local.filter(isImageName);
  const rows =
    names.length === 0
      ? []
      : await db.all(
          NameSchema,
          `SELECT name FROM pictures WHERE name IN (${names.map(() => '?').join()})`,
          ...names,
        );
  const stored = new Set(rows.map(({ name }) => name));
  return new Set(local.filter((name) => !stored.has(name)));
}

/** Stores a picture. Its name is made from its bytes, so one that is stored already is the same picture. */
export async function addPicture(
  transaction: Transaction,
  { name, etag, bytes }: PreparedPicture,
): Promise<void> {
  await transaction.run(
    'INSERT INTO pictures (name, etag, bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    etag,
    bytes,
  );
}

export const pictureNames = async (db: Reader): Promise<string[]> =>
  (await db.all(NameSchema, 'SELECT name FROM pictures ORDER BY name')).map(({ name }) => name);
