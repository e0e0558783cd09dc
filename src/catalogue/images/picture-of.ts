import { join } from 'node:path';
import { apiBase } from '#api/base.ts';
import { type Picture, plainPicture } from '#domain/picture.ts';
import { createPictures } from './create-pictures.ts';
import { IMAGE_CACHE, PICTURES_PATH } from './places.ts';

/** The development server has no site folder to write variants into, so it uses the addresses that the API gave. */
const passThrough = __SITE_FOLDER__ === '' || import.meta.env.PUBLIC_IMAGES === 'passthrough';

const toPicture = passThrough
  ? plainPicture
  : createPictures({
      cache: process.env.IMAGE_CACHE ?? IMAGE_CACHE,
      out: join(__SITE_FOLDER__, PICTURES_PATH),
      apiOrigin: new URL(apiBase()).origin,
      warn: (text) => console.warn(`[images] ${text}`),
    });

/** The picture to show for an address that the server gave: its variants, or only that address. Undefined for ''. */
export const pictureOf = async (address: string): Promise<Picture | undefined> =>
  address === '' ? undefined : toPicture(address);
