import { addPicture } from '#scripts/api/catalogue/pictures.ts';
import { preparePicture } from '#scripts/api/catalogue/prepare-picture.ts';
import type { Shop } from '#scripts/api/shop.ts';

export interface Uploads {
  /** The file names of the pictures that were stored. */
  readonly names: readonly string[];
  /** A sentence for each file that was refused. */
  readonly refusals: readonly string[];
}

const LONGEST_NAME = 80;

/**
 * Makes pictures of the files of a form and stores them, before anything shows them: so they are not lost when something
 * else in the form is wrong. Nothing of a refused file is stored (faults 104).
 */
export async function storeUploads(shop: Shop, files: readonly FormDataEntryValue[]): Promise<Uploads> {
  const names: string[] = [];
  const refusals: string[] = [];
  for (const file of files) {
    if (typeof file === 'string' || file.size === 0) continue;
    const prepared = await preparePicture(new Uint8Array(await file.arrayBuffer()));
    if (prepared.status === 'refused') {
      refusals.push(`“${file.name.slice(0, LONGEST_NAME)}” was not added. ${prepared.reason}`);
    } else {
      await shop.db.write((transaction) => addPicture(transaction, prepared.picture));
      names.push(prepared.picture.name);
    }
  }
  return { names, refusals };
}
