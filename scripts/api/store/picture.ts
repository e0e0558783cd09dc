import { html } from 'hono/html';
import { thumbnailPath } from '#scripts/api/office/paths.ts';
import type { Html } from '#scripts/api/office/views/html.ts';
import { storeUploads } from '#scripts/api/pictures/stored-pictures.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

/** A stored picture, small. */
export const picture = (name: string, alt: string): Html =>
  html`<img class="picture" src="${thumbnailPath(name)}" alt="${alt}" width="64" height="64" loading="lazy">`;

type Upload =
  | { readonly status: 'none' }
  | { readonly status: 'stored'; readonly name: string }
  | { readonly status: 'refused'; readonly reason: string };

/** Stores the picture of a form that asks for one. */
export async function takePicture(shop: Shop, file: FormDataEntryValue | null): Promise<Upload> {
  const { names, refusals } = await storeUploads(shop, file === null ? [] : [file]);
  const [[name], [reason]] = [names, refusals];
  if (reason !== undefined) return { status: 'refused', reason };
  return name === undefined ? { status: 'none' } : { status: 'stored', name };
}

/** In bytes: one picture of 15 MiB, and the rest of the form. */
export const PICTURE_FORM_MOST = 16 * 1_024 * 1_024;
