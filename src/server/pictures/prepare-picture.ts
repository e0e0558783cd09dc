import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { PICTURE_LOADERS, type PictureFormat, pictureFormatOf } from '#domain/picture.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { hasNoMetadata } from './picture-metadata.ts';

/** Equal pictures have equal names. */
export interface PreparedPicture {
  readonly name: string;
  readonly etag: string;
  readonly bytes: Uint8Array;
}

const MIB = 1024 * 1024;

export const MAX_BYTES = 15 * MIB;

const MAX_PIXELS = 50_000_000;

const MAX_SIDE = 1_600;

const QUALITY = 82;

/** In seconds. */
const MAX_DECODING = 20;

/** A picture takes up to 15 MiB of memory in the queue, and a few hundred MiB while it is decoded. */
const queue = pLimit(2);

const MAX_WAITING = 10;

const NO_PICTURE = 'This is not a JPEG, PNG, WebP or AVIF picture.';

const BROKEN = 'This picture is broken and cannot be read. Please save it again and try that one.';

/* A second check after `pictureFormatOf`: libvips may use no other decoders. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: PICTURE_LOADERS });

/** Reads only the file's header. @throws ExplainedError if the picture must not be decoded */
async function requireDecodable(bytes: Uint8Array): Promise<void> {
  const { width, height, compression } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (compression !== undefined && compression !== 'av1') throw new ExplainedError(NO_PICTURE);
  if (width * height > MAX_PIXELS) {
    const pixels = Math.round((width * height) / 1_000_000);
    throw new ExplainedError(
      `This picture has ${pixels} megapixels. At most 50 are possible: make it smaller first.`,
    );
  }
}

async function encode(bytes: Uint8Array, format: PictureFormat): Promise<PreparedPicture> {
  const data = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
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
  if (bytes.byteLength > MAX_BYTES)
    throw new ExplainedError('This file is larger than 15 MB. Make the picture smaller first.');
  if (!pictureFormatOf(bytes)) throw new ExplainedError(NO_PICTURE);
  if (queue.pendingCount >= MAX_WAITING)
    throw new ExplainedError('Many pictures are being prepared at the moment. Please try again in a minute.');
  return queue(async () => {
    try {
      await requireDecodable(bytes);
      return await encode(bytes, format);
    } catch (error) {
      throw error instanceof ExplainedError ? error : new ExplainedError(BROKEN);
    }
  });
}

/** Whether a picture of a catalogue folder needs no preparation. Reads the file's structure, not its pixels. */
export const isPublishable = (bytes: Uint8Array, format: PictureFormat): boolean =>
  bytes.byteLength <= MAX_BYTES && pictureFormatOf(bytes) === format && hasNoMetadata(bytes, format);
