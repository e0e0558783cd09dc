import { join } from 'node:path';
import { apiBase } from '#api/base.ts';
import { type Picture, plainPicture } from '#domain/card.ts';
import { createPictures } from './create-pictures.ts';
import { IMAGE_CACHE, PICTURES_PATH } from './places.ts';

/** Build time: the pictures of the shop, encoded for the slots they stand in. */

/** Without a site to write them into, which is the development server's case, they are shown as the API has them. */
const passThrough = __SITE_FOLDER__ === '' || import.meta.env.PUBLIC_IMAGES === 'passthrough';

const encoded = passThrough
  ? plainPicture
  : createPictures({
      cache: process.env.IMAGE_CACHE ?? IMAGE_CACHE,
      out: join(__SITE_FOLDER__, PICTURES_PATH),
      apiOrigin: new URL(apiBase()).origin,
      warn: (text) => console.warn(`[images] ${text}`),
    });

/** The picture at a server's address; with PUBLIC_IMAGES=passthrough that address itself. Nothing for ''. */
export const pictureOf = async (address: string): Promise<Picture | undefined> =>
  address === '' ? undefined : encoded(address);
