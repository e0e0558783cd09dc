import { apiBase } from '#api/base.ts';
import type { Picture } from '#domain/card.ts';
import { plainPicture } from '#domain/card.ts';
import { createPictures } from './images/pictures.ts';
import { IMAGE_CACHE } from './images/places.ts';

/** Build time: the pictures of the shop, encoded for the slots they stand in (issue 'A page in one round trip'). */

const passThrough = import.meta.env.PUBLIC_IMAGES === 'passthrough';

const encoded = createPictures({
  cache: process.env.IMAGE_CACHE ?? IMAGE_CACHE,
  out: process.env.IMAGE_OUT,
  apiOrigin: new URL(apiBase()).origin,
  warn: (text) => console.warn(`[images] ${text}`),
});

/** The picture at a server's address; with PUBLIC_IMAGES=passthrough that address itself. Nothing for ''. */
export async function pictureOf(address: string): Promise<Picture | undefined> {
  if (address === '') return undefined;
  return passThrough ? plainPicture(address) : encoded(address);
}
