import { join } from 'node:path';
import { apiBase } from '#api/addresses.ts';
import { type Picture, type PictureSources, plainPicture } from '#domain/picture.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { createPictures, type PictureSettings } from './create-pictures.ts';
import { IMAGE_CACHE, PICTURES_PATH } from './encode.ts';
import { heroVariants, PRODUCT_VARIANTS } from './image-variants.ts';

/** The development server has no site folder to write variants into, so it uses the addresses that the API gave. */
const passThrough = __SITE_FOLDER__ === '' || import.meta.env.PUBLIC_IMAGES === 'passthrough';

const settings = (): PictureSettings => ({
  cache: process.env.IMAGE_CACHE ?? IMAGE_CACHE,
  out: join(__SITE_FOLDER__, PICTURES_PATH),
  apiOrigin: new URL(apiBase()).origin,
  warn: (text) => console.warn(`[images] ${text}`),
});

const toPicture = passThrough ? plainPicture : createPictures(settings(), PRODUCT_VARIANTS);

/** Returns the variants of the picture at that address, or the address alone. Returns undefined for ''. */
export const pictureOf = async (address: string): Promise<Picture | undefined> =>
  address === '' ? undefined : toPicture(address);

/** The owner's picture of the home page. Returns undefined if the record has none or it cannot be fetched. */
export async function heroPictureOf({ hero }: Pick<StoreInfo, 'hero'>): Promise<PictureSources | undefined> {
  const { picture: address, focusX, focusY } = hero;
  if (address === '') return undefined;
  if (passThrough) return { phone: address, avif: address, fallback: address };
  return createPictures(settings(), heroVariants({ x: focusX ?? 50, y: focusY ?? 50 }))(address);
}
