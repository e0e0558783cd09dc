import { builtInPicture } from '#components/built-in-picture.ts';
import type { PictureSources } from '#domain/picture.ts';
import type { StoreInfo } from '#domain/store-info.ts';

/** The screens that show the crop for phones, and its size. */
export const HERO_PHONE = { media: '(width < 768px)', sizes: '100vw', width: 1011, height: 900 };
export const HERO_SIZES = '(min-width: 1320px) 1320px, 100vw';

export interface HeroPicture {
  readonly sources: PictureSources;
  readonly alt: string;
  /** Whether it has opaque edges. The built-in picture's transparent edges may overlap the buttons. */
  readonly isPhoto: boolean;
}

export const heroPicture = (
  { hero }: Pick<StoreInfo, 'hero'>,
  picture: PictureSources | undefined,
): HeroPicture =>
  picture
    ? { sources: picture, alt: hero.alt, isPhoto: true }
    : {
        sources: builtInPicture('hero'),
        alt: 'A still life of pineapple, mangoes, watermelon, oranges, grapes and berries',
        isPhoto: false,
      };
