import { join } from 'node:path';
import { apiBase } from '#api/base.ts';
import { type Art, type Picture, plainPicture } from '#domain/picture.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { createPictures, type PictureSettings } from './create-pictures.ts';
import type { Recipe } from './encode.ts';
import { IMAGE_CACHE, PICTURES_PATH, upright, variantWidths } from './encode.ts';
import { heroRecipe } from './hero-recipe.ts';

/** The widths of the variants, in px. A picture narrower than the last one also gets a variant of its own width. */
const WIDTHS = [320, 528, 640, 1200];
/** The width of the variant for `src`, in px, for clients that do not choose from `srcset`. */
const MAIN_WIDTH = 640;
/** Effort 2 takes a tenth of the time of the default, and the files are 5 to 10 % larger. */
const AVIF = { quality: 50, effort: 2 };

const variantName = (hash: string, width: number): string => `${hash}-${width}.avif`;

/** Pictures of products and categories. One that cannot be had keeps the address that the server gave. */
export const PRODUCT_RECIPE: Recipe<Picture> = {
  variants: ({ hash, width }) =>
    variantWidths(width, WIDTHS).map((variantWidth) => ({
      name: variantName(hash, variantWidth),
      encode: (bytes) =>
        upright(bytes).resize({ width: variantWidth, withoutEnlargement: true }).avif(AVIF).toBuffer(),
    })),
  made: ({ hash, width, height }) => {
    const widths = variantWidths(width, WIDTHS);
    const path = (variantWidth: number): string => PICTURES_PATH + variantName(hash, variantWidth);
    return {
      src: path(widths.find((variantWidth) => variantWidth >= MAIN_WIDTH) ?? widths.at(-1) ?? width),
      srcset: widths.map((variantWidth) => `${path(variantWidth)} ${variantWidth}w`).join(','),
      width,
      height,
    };
  },
  otherwise: plainPicture,
  outcome: 'is passed on as it is',
};

/** The development server has no site folder to write variants into, so it uses the addresses that the API gave. */
const passThrough = __SITE_FOLDER__ === '' || import.meta.env.PUBLIC_IMAGES === 'passthrough';

const settings = (): PictureSettings => ({
  cache: process.env.IMAGE_CACHE ?? IMAGE_CACHE,
  out: join(__SITE_FOLDER__, PICTURES_PATH),
  apiOrigin: new URL(apiBase()).origin,
  warn: (text) => console.warn(`[images] ${text}`),
});

const toPicture = passThrough ? plainPicture : createPictures(settings(), PRODUCT_RECIPE);

/** The picture to show for an address that the server gave: its variants, or only that address. Undefined for ''. */
export const pictureOf = async (address: string): Promise<Picture | undefined> =>
  address === '' ? undefined : toPicture(address);

/** The owner's picture of the home page. Undefined where the record has none, or it cannot be had. */
export async function heroPictureOf({ hero }: Pick<StoreInfo, 'hero'>): Promise<Art | undefined> {
  const { picture: address, focusX, focusY } = hero;
  if (address === '') return undefined;
  if (passThrough) return { phone: address, avif: address, fallback: address };
  return createPictures(settings(), heroRecipe({ x: focusX ?? 50, y: focusY ?? 50 }))(address);
}
