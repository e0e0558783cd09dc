import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { removePictures } from '#scripts/api/catalogue/unused-pictures.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { formatOf } from '#scripts/api/pictures/bare-picture.ts';
import { isPublishable, preparePicture } from '#scripts/api/pictures/prepare-picture.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { type Parts, picturePart } from './folder-parts.ts';
import { CatalogueError, type Picture } from './read.ts';

/** A picture as it is stored. */
export interface Prepared {
  readonly name: string;
  readonly etag: string;
  /** Holds its bytes; undefined where they are stored already. */
  readonly file: string | undefined;
}

const RowSchema = v.object({ name: v.string(), etag: v.string() });

const storedEtags = async (db: Reader): Promise<ReadonlyMap<string, string>> =>
  new Map((await db.all(RowSchema, 'SELECT name, etag FROM pictures')).map(({ name, etag }) => [name, etag]));

/**
 * Prepares the pictures of the folder as uploads are: none is published that tells where it was taken (faults 125). Each
 * keeps its name and format. Pictures that need no change, as all that were exported, are taken as they are.
 * @param before the folder's parts at the last import; a picture that has not changed since is not prepared again
 * @param temporary a folder for those that need a change: all together may be too large for the memory
 * @throws CatalogueError that names each picture that cannot be used
 */
async function preparePictures(
  db: Reader,
  pictures: readonly Picture[],
  before: Parts,
  temporary: string,
): Promise<Prepared[]> {
  const stored = await storedEtags(db);
  const problems: string[] = [];
  const prepared: Prepared[] = [];
  for (const { name, file, etag } of pictures) {
    const known = stored.get(name);
    if (known !== undefined && before.get(picturePart(name)) === etag) {
      prepared.push({ name, etag: known, file: undefined });
      continue;
    }
    const bytes = readFileSync(file);
    if (isPublishable(bytes, formatOf(name))) {
      prepared.push({ name, etag, file });
      continue;
    }
    const result = await preparePicture(bytes, formatOf(name));
    if (result.status === 'refused') problems.push(`art/${name}: ${result.reason}`);
    else {
      const place = join(temporary, name);
      writeFileSync(place, result.picture.bytes);
      prepared.push({ name, etag: result.picture.etag, file: place });
    }
  }
  if (problems.length > 0) throw new CatalogueError('the folder', problems);
  return prepared;
}

/** Calls `use` with the prepared pictures of the folder. Their files are there until it has ended. */
export async function withPreparedPictures<T>(
  db: Reader,
  pictures: readonly Picture[],
  before: Parts,
  use: (prepared: readonly Prepared[]) => Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    return await use(await preparePictures(db, pictures, before, temporary));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/**
 * Stores the pictures, so that every process of the API can send them, and deletes those that the folder no longer has
 * and nothing shows. Returns whether any has changed.
 */
export async function storePictures(
  transaction: Transaction,
  pictures: readonly Prepared[],
  before: Parts,
): Promise<boolean> {
  const stored = await storedEtags(transaction);
  const changed = pictures.filter(({ name, etag }) => stored.get(name) !== etag);
  for (const { name, file, etag } of changed) {
    if (file === undefined) throw new ExplainedError('Somebody else has imported meanwhile. Try again.');
    await transaction.run(
      `INSERT INTO pictures (name, etag, bytes) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes`,
      name,
      etag,
      readFileSync(file),
    );
  }
  // A picture that the folder never had was uploaded for a form that is still open.
  const names = new Set(pictures.map(({ name }) => name));
  const left = [...stored.keys()].filter((name) => before.has(picturePart(name)) && !names.has(name));
  const removed = left.length === 0 ? [] : await removePictures(transaction, left);
  return changed.length + removed.length > 0;
}
