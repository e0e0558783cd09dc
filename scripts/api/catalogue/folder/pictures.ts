import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Transaction } from '#scripts/api/db/database.ts';
import { formatOf } from '#scripts/api/pictures/bare-picture.ts';
import { isPublishable, preparePicture } from '#scripts/api/pictures/prepare-picture.ts';
import { CatalogueError, type Picture } from './read.ts';

/**
 * Prepares the pictures of the folder as uploads are: what a camera writes into a file is not published. Each keeps its
 * name and format. Pictures that need no change, as all that were exported, are taken as they are.
 * @param temporary a folder for those that need a change: all together may be too large for the memory
 * @throws CatalogueError that names each picture that cannot be used
 */
async function preparePictures(pictures: readonly Picture[], temporary: string): Promise<Picture[]> {
  const problems: string[] = [];
  const prepared: Picture[] = [];
  for (const picture of pictures) {
    const { name, file } = picture;
    const bytes = readFileSync(file);
    if (isPublishable(bytes, formatOf(name))) {
      prepared.push(picture);
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
  pictures: readonly Picture[],
  use: (prepared: readonly Picture[]) => Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    return await use(await preparePictures(pictures, temporary));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

const RowSchema = v.object({ name: v.string(), etag: v.string() });

/** Stores the pictures that differ, so that every process of the API can send them. */
export async function storePictures(transaction: Transaction, pictures: readonly Picture[]): Promise<void> {
  const rows = await transaction.all(RowSchema, 'SELECT name, etag FROM pictures');
  const stored = new Map(rows.map(({ name, etag }) => [name, etag]));
  for (const { name, file, etag } of pictures) {
    if (stored.get(name) === etag) continue;
    await transaction.run(
      `INSERT INTO pictures (name, etag, bytes) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET etag = excluded.etag, bytes = excluded.bytes`,
      name,
      etag,
      readFileSync(file),
    );
  }
}
