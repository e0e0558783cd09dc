import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { maxMegapixels, PICTURE_LOADERS, pictureFormatOf } from '#domain/picture.ts';

export interface Variant {
  /** The file name. It changes with everything that the bytes depend on. */
  readonly name: string;
  readonly encode: (bytes: Buffer) => Promise<Buffer>;
}

/** Which variants a picture gets, and what the pages show of them. */
export interface ImageVariants<Result> {
  readonly list: (inspected: Inspected) => readonly Variant[];
  readonly result: (inspected: Inspected) => Result;
  /** The result for a picture that may not or cannot be fetched or read. */
  readonly fallback: (address: string) => Result;
  /** Ends the warning in the log, which begins with the address. */
  readonly fallbackLog: string;
}

/** A folder that outlives a build. Its files may be deleted at any time. */
export const IMAGE_CACHE = '.cache/images';

/** The path of the variants on the site. Their names are hashes of their content. */
export const PICTURES_PATH = '/_astro/img/';

/** Change this when the settings change, so that files with other bytes get other names. */
const ENCODER = 'avif-1';
const HASH_LENGTH = 12;

/* createPictures limits how many pictures are encoded at once, so sharp needs no threads of its own. */
sharp.concurrency(1);
/* The check of the first bytes already refuses other formats. This blocks their decoders too. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: PICTURE_LOADERS });

export interface Inspected {
  /** Depends on the bytes of the picture and on the settings of the encoder. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
}

/** Throws if the bytes are not a picture of an accepted format and size. */
export async function inspect(bytes: Buffer): Promise<Inspected> {
  const format = pictureFormatOf(bytes);
  if (!format) throw new Error('is no JPEG, PNG, WebP or AVIF picture');
  const { compression, width, height, autoOrient } = await sharp(bytes, {
    limitInputPixels: false,
  }).metadata();
  if (compression !== undefined && compression !== 'av1') throw new Error('is no AVIF picture');
  const max = maxMegapixels(format);
  if (width * height > max * 1_000_000) throw new Error(`has more than ${max} megapixels`);
  const hash = createHash('sha256').update(ENCODER).update(bytes).digest('hex').slice(0, HASH_LENGTH);
  return { hash, width: autoOrient.width, height: autoOrient.height };
}

/** The wanted widths, in px, that are less than the picture's, and the widest that it has. */
export function variantWidths(width: number, wanted: readonly number[]): number[] {
  const widest = Math.min(width, wanted.at(-1) ?? width);
  return [...wanted.filter((candidate) => candidate < widest), widest];
}

/** Turns an inspected picture upright and drops what a camera wrote into its file. */
export const upright = (bytes: Buffer) => sharp(bytes, { limitInputPixels: false }).autoOrient();
