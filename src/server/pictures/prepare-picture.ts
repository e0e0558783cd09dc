import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import sharp from 'sharp';
import {
  MAX_PICTURE_BYTES,
  maxMegapixels,
  PICTURE_LOADERS,
  type PictureFormat,
  pictureFormatOf,
} from '#domain/picture.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { hasNoMetadata } from './picture-metadata.ts';

/** Equal pictures have equal names. */
export interface PreparedPicture {
  readonly name: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
}

/** In bytes, of a picture that is stored as it is. Preparing makes it smaller. */
const MAX_STORED_BYTES = 15 * 1024 * 1024;

const MAX_SIDE = 1_600;

const QUALITY = 82;

/** In seconds. */
const MAX_DECODING = 20;

/** One after the other: a picture takes up to 30 MiB of memory in the queue, and up to 1 GiB while it is decoded. */
const queue = pLimit(1);

const MAX_WAITING = 10;

const NO_PICTURE = 'This is not a JPEG, PNG, WebP or AVIF picture.';

const BROKEN = 'This picture is broken and cannot be read. Please save it again and try that one.';

/* A second check after `pictureFormatOf`: libvips may use no other decoders. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: PICTURE_LOADERS });

/** Reads only the file's header. @throws ExplainedError if the picture must not be decoded */
async function requireDecodable(bytes: Uint8Array, found: PictureFormat): Promise<void> {
  const { width, height, compression } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (compression !== undefined && compression !== 'av1') throw new ExplainedError(NO_PICTURE);
  const megapixels = (width * height) / 1_000_000;
  const max = maxMegapixels(found);
  if (megapixels > max)
    throw new ExplainedError(
      `This picture has ${Math.round(megapixels)} megapixels. At most ${max} are possible in ${found.toUpperCase()}: make it smaller first.`,
    );
}

async function encode(bytes: Uint8Array, format: PictureFormat): Promise<PreparedPicture> {
  const data = await sharp(bytes, { limitInputPixels: false, failOn: 'error' })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    // A quality would reduce the colours of a PNG.
    .toFormat(format, format === 'png' ? {} : { quality: QUALITY })
    .timeout({ seconds: MAX_DECODING })
    .toBuffer();
  const hash = createHash('sha256').update(data);
  const etag = hash.copy().digest('base64url');
  const name = `${hash.digest('hex').slice(0, 32)}.${format}`;
  return { name, etag, bytes: data };
}

/**
 * Prepares an uploaded picture: rotated by its orientation, at most 1,600 px long, and without metadata such as the place.
 * Decoding does not block the event loop.
 * @throws ExplainedError with a sentence for the editor
 */
export async function preparePicture(
  bytes: Uint8Array,
  format: PictureFormat = 'webp',
): Promise<PreparedPicture> {
  if (bytes.byteLength > MAX_PICTURE_BYTES)
    throw new ExplainedError(
      `This file is larger than ${MAX_PICTURE_BYTES / 1024 ** 2} MB. Make the picture smaller first.`,
    );
  const found = pictureFormatOf(bytes);
  if (!found) throw new ExplainedError(NO_PICTURE);
  if (queue.pendingCount >= MAX_WAITING)
    throw new ExplainedError('Many pictures are being prepared at the moment. Please try again in a minute.');
  return queue(async () => {
    try {
      await requireDecodable(bytes, found);
      return await encode(bytes, format);
    } catch (error) {
      throw error instanceof ExplainedError ? error : new ExplainedError(BROKEN);
    }
  });
}

/** Whether a picture of a catalogue folder can be used unchanged. Reads the file's structure, not its pixels. */
export const isPublishable = (bytes: Uint8Array, format: PictureFormat): boolean =>
  bytes.byteLength <= MAX_STORED_BYTES && pictureFormatOf(bytes) === format && hasNoMetadata(bytes, format);
