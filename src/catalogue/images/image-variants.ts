import {
  cropOf,
  type Focus,
  HERO_RATIO,
  type Picture,
  type PictureSources,
  plainPicture,
} from '#domain/picture.ts';
import { type ImageVariants, type Inspected, PICTURES_PATH, upright, variantWidths } from './encode.ts';

/** The widths of the variants, in px. A picture narrower than the last one also gets a variant of its own width. */
const WIDTHS = [320, 528, 640, 1200];
/** The width of the variant for `src`, in px, for clients that do not choose from `srcset`. */
const MAIN_WIDTH = 640;
/** Effort 2 takes a tenth of the time of the default, and the files are 5 to 10 % larger. */
const AVIF = { quality: 50, effort: 2 };

const variantName = (hash: string, width: number): string => `${hash}-${width}.avif`;

/** Pictures of products and categories. The fallback is the address that the server gave. */
export const PRODUCT_VARIANTS: ImageVariants<Picture> = {
  list: ({ hash, width }) =>
    variantWidths(width, WIDTHS).map((variantWidth) => ({
      name: variantName(hash, variantWidth),
      encode: (bytes) =>
        upright(bytes).resize({ width: variantWidth, withoutEnlargement: true }).avif(AVIF).toBuffer(),
    })),
  result: ({ hash, width, height }) => {
    const widths = variantWidths(width, WIDTHS);
    const path = (variantWidth: number): string => PICTURES_PATH + variantName(hash, variantWidth);
    return {
      src: path(widths.find((variantWidth) => variantWidth >= MAIN_WIDTH) ?? widths.at(-1) ?? width),
      srcset: widths.map((variantWidth) => `${path(variantWidth)} ${variantWidth}w`).join(','),
      width,
      height,
    };
  },
  fallback: plainPicture,
  fallbackLog: 'is passed on as it is',
};

type Kind = keyof typeof HERO_RATIO;

const KIB = 1_024;

/** The most bytes of each part's variants, by width in px. */
const MAX_BYTES: Readonly<Record<Kind, ReadonlyMap<number, number>>> = {
  phone: new Map([
    [540, 16 * KIB],
    [724, 22 * KIB],
    [1011, 35 * KIB],
  ]),
  wide: new Map([
    [720, 24 * KIB],
    [1200, 48 * KIB],
    [1800, 80 * KIB],
  ]),
};

/**
 * Encoder settings, best first. A variant uses the first whose file is small enough. The last ones have fewer pixels
 * than the width, because a quality below 20 would look worse than a soft picture.
 */
const STEPS = [
  { quality: 50, scale: 1 },
  { quality: 40, scale: 1 },
  { quality: 30, scale: 1 },
  { quality: 20, scale: 1 },
  { quality: 20, scale: 0.7 },
  { quality: 20, scale: 0.4 },
];
const EFFORT = 2;
/** Change this when the shapes or the steps change, so that files with other bytes get other names. */
const VERSION = 'hero1';

/** The variants of one part. A picture that is smaller than a width is not enlarged. */
function variantsOf({ hash, ...size }: Inspected, kind: Kind, focus: Focus) {
  const maxBytes = MAX_BYTES[kind];
  const part = cropOf(size, HERO_RATIO[kind], focus);
  return variantWidths(part.width, [...maxBytes.keys()]).map((width) => ({
    width,
    name: `${hash}-${VERSION}-${kind}-${focus.x}-${focus.y}-${width}.avif`,
    async encode(bytes: Buffer): Promise<Buffer> {
      const limit = [...maxBytes].find(([atWidth]) => atWidth >= width)?.[1] ?? Number.POSITIVE_INFINITY;
      let encoded = bytes;
      for (const { quality, scale } of STEPS) {
        encoded = await upright(bytes)
          .extract(part)
          .resize({ width: Math.max(1, Math.round(width * scale)) })
          .avif({ quality, effort: EFFORT })
          .toBuffer();
        if (encoded.length <= limit) break;
      }
      return encoded;
    },
  }));
}

/** The owner's picture of the home page. Without it the page shows the shop's built-in picture. */
export const heroVariants = (focus: Focus): ImageVariants<PictureSources | undefined> => ({
  list: (inspected) => [...variantsOf(inspected, 'phone', focus), ...variantsOf(inspected, 'wide', focus)],
  result: (inspected) => {
    const candidates = (kind: Kind): string =>
      variantsOf(inspected, kind, focus)
        .map(({ name, width }) => `${PICTURES_PATH}${name} ${width}w`)
        .join(', ');
    const avif = candidates('wide');
    return { phone: candidates('phone'), avif, fallback: avif.slice(0, avif.indexOf(' ')) };
  },
  fallback: () => undefined,
  fallbackLog: "is left out of the home page, which shows the shop's own picture",
});
