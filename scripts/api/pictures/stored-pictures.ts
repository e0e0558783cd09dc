import * as v from 'valibot';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { isImageName, isRemote } from '#scripts/api/http/names.ts';
import type { PreparedPicture } from './prepare-picture.ts';

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
