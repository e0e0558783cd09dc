import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { PICTURE_LOADERS, type PictureFormat, pictureFormatOf } from '#domain/picture.ts';
import { hasNoMetadata } from './picture-metadata.ts';

/** Equal pictures have equal names. */
export interface PreparedPicture {
  readonly name: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type Preparation =
  | { readonly status: 'ready'; readonly picture: PreparedPicture }
  /** `reason` is a sentence for the editor. */
  | { readonly status: 'refused'; readonly reason: string };

const MIB = 1024 * 1024;

export const MOST_BYTES = 15 * MIB;

const MOST_PIXELS = 50_000_000;

const LONGEST_SIDE = 1_600;

const QUALITY = 82;

/** In seconds. */
const MOST_DECODING = 20;

/** A picture takes up to 15 MiB of memory in the queue, and a few hundred MiB while it is decoded. */
const queue = pLimit(2);

const MOST_WAITING = 10;

const refused = (reason: string): Preparation => ({ status: 'refused', reason });

const NO_PICTURE = refused('This is not a JPEG, PNG, WebP or AVIF picture.');

const BROKEN = refused('This picture is broken and cannot be read. Please save it again and try that one.');

/* A second check after `pictureFormatOf`: libvips may use no other decoders. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: PICTURE_LOADERS });

/** Returns why a picture must not be decoded; undefined if it may. Reads only the file's header. */
async function problemOf(bytes: Uint8Array): Promise<Preparation | undefined> {
  const { width, height, compression } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (compression !== undefined && compression !== 'av1') return NO_PICTURE;
  if (width * height > MOST_PIXELS) {
    const pixels = Math.round((width * height) / 1_000_000);
    return refused(`This picture has ${pixels} megapixels. At most 50 are possible: make it smaller first.`);
  }
  return undefined;
}

async function encode(bytes: Uint8Array, format: PictureFormat): Promise<PreparedPicture> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    // A quality would reduce the colours of a PNG.
    .toFormat(format, format === 'png' ? {} : { quality: QUALITY })
    .timeout({ seconds: MOST_DECODING })
    .toBuffer({ resolveWithObject: true });
  const hash = createHash('sha256').update(data);
  const etag = hash.copy().digest('base64url');
  const name = `${hash.digest('hex').slice(0, 32)}.${format}`;
  return { name, etag, bytes: data, width: info.width, height: info.height };
}

/**
 * Prepares an uploaded picture: rotated by its orientation, at most 1,600 px long, and without metadata such as the place.
 * Decoding does not block the event loop.
 */
export async function preparePicture(
  bytes: Uint8Array,
  format: PictureFormat = 'webp',
): Promise<Preparation> {
  if (bytes.byteLength > MOST_BYTES)
    return refused('This file is larger than 15 MB. Make the picture smaller first.');
  if (!pictureFormatOf(bytes)) return NO_PICTURE;
  if (queue.pendingCount >= MOST_WAITING) {
    return refused('Many pictures are being prepared at the moment. Please try again in a minute.');
  }
  return queue(async () => {
    try {
      return (await problemOf(bytes)) ?? { status: 'ready', picture: await encode(bytes, format) };
    } catch {
      return BROKEN;
    }
  });
}

/** Whether a picture of a catalogue folder needs no preparation. Reads the file's structure, not its pixels. */
export const isPublishable = (bytes: Uint8Array, format: PictureFormat): boolean =>
  bytes.byteLength <= MOST_BYTES && pictureFormatOf(bytes) === format && hasNoMetadata(bytes, format);
