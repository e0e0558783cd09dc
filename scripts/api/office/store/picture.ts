import { html } from 'hono/html';
import { isRemote } from '#scripts/api/catalogue/images.ts';
import { addPicture } from '#scripts/api/catalogue/pictures.ts';
import { preparePicture } from '#scripts/api/catalogue/prepare-picture.ts';
import type { Html } from '#scripts/api/office/views/html.ts';
import type { Shop } from '#scripts/api/shop.ts';

/** A stored picture, small. */
export const picture = (name: string, alt: string): Html =>
  html`<img class="picture" src="${isRemote(name) ? name : `/images/${name}`}" alt="${alt}" width="64" height="64" loading="lazy">`;

type Upload =
  | { readonly status: 'none' }
  | { readonly status: 'stored'; readonly name: string }
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Stores the picture of a form before anything shows it, so that it is not lost when something else in the form is wrong.
 * Nothing of a file that is refused is stored (faults 104).
 */
export async function takePicture(shop: Shop, file: FormDataEntryValue | null): Promise<Upload> {
  if (file === null || typeof file === 'string' || file.size === 0) return { status: 'none' };
  const prepared = await preparePicture(new Uint8Array(await file.arrayBuffer()));
  if (prepared.status === 'refused') return prepared;
  await shop.db.write((transaction) => addPicture(transaction, prepared.picture));
  return { status: 'stored', name: prepared.picture.name };
}
