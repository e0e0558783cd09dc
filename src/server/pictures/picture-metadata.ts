import { extname } from 'node:path';
import type { PictureFormat } from '#domain/picture.ts';

/** How a format divides its files into blocks. */
interface Format {
  /** In bytes, before the first block. */
  readonly start: number;
  readonly sizeOf: (file: Buffer, at: number) => number;
  readonly nameOf: (file: Buffer, at: number, size: number) => string;
  /** Blocks that belong to the image. All others, such as Exif, may contain a place or an author. */
  readonly allowed: string;
  /** The last block, without which the file was cut off. */
  readonly end?: string;
}

const text = (file: Buffer, at: number): string => file.toString('latin1', at, at + 4);

const END_OF_IMAGE = 0xd9;

const START_OF_SCAN = 0xda;

/** Returns the end of a scan's pixels: the next marker that is neither a stuffed 0xff nor a restart. */
function endOfScan(file: Buffer, start: number): number {
  let at = file.indexOf(0xff, start);
  for (; at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return file.length;
}

function jpegSize(file: Buffer, at: number): number {
  const marker = file.readUInt8(at + 1);
  if (marker === END_OF_IMAGE) return 2;
  const size = 2 + file.readUInt16BE(at + 2);
  return marker === START_OF_SCAN ? endOfScan(file, at + size) - at : size;
}

const FORMATS = {
  jpeg: {
    start: 2,
    sizeOf: jpegSize,
    // JFIF without a thumbnail and Adobe's colour data have exactly these lengths.
    nameOf: (file, at, size) => {
      const marker = file.toString('hex', at, at + 2);
      if (/ffc[012]/.test(marker)) return file.readUInt8(at + 9) > 3 ? 'CMYK' : marker;
      return marker === 'ffe0' || marker === 'ffee' ? `${text(file, at + 4)}-${size}` : marker;
    },
    allowed: 'JFIF-18 Adob-16 ffdb ffc0 ffc1 ffc2 ffc4 ffdd ffda ffd9',
    end: 'ffd9',
  },
  png: {
    start: 8,
    sizeOf: (file, at) => 12 + file.readUInt32BE(at),
    nameOf: (file, at) => text(file, at + 4),
    allowed: 'IHDR PLTE tRNS gAMA cHRM sRGB pHYs bKGD sBIT IDAT IEND',
    end: 'IEND',
  },
  webp: {
    start: 12,
    sizeOf: (file, at) => 8 + Math.ceil(file.readUInt32LE(at + 4) / 2) * 2,
    nameOf: (file, at) => text(file, at).trim(),
    allowed: 'VP8X ALPH VP8 VP8L',
  },
  avif: {
    start: 0,
    sizeOf: (file, at) => file.readUInt32BE(at),
    nameOf: (file, at, size) => {
      const items = file.toString('latin1', at, at + size);
      const name = text(file, at + 4);
      return name === 'meta' && /Exif|mime|uri |thmb/.test(items) ? 'meta with metadata' : name;
    },
    allowed: 'ftyp meta mdat',
  },
} as const satisfies Readonly<Record<PictureFormat, Format>>;

const isFormat = (name: string): name is PictureFormat => Object.hasOwn(FORMATS, name);

/** Returns the format by the ending of an image name (`isImageName`). It is also the media subtype. */
export function formatOf(name: string): PictureFormat {
  const ending = extname(name).slice(1);
  return isFormat(ending) ? ending : 'jpeg';
}

/** Whether the file is exactly one complete image: no metadata, no second image, nothing after its end, and no CMYK. */
export function hasNoMetadata(bytes: Uint8Array, format: PictureFormat): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { start, sizeOf, nameOf, allowed, end }: Format = FORMATS[format];
  const names = new Set(allowed.split(' '));
  try {
    let at = start;
    let name = '';
    while (at < file.length) {
      const size = sizeOf(file, at);
      name = nameOf(file, at, size);
      if (size <= 0 || !names.has(name)) return false;
      at += size;
    }
    return at === file.length && name === (end ?? name);
  } catch {
    // A block would end beyond the end of the file.
    return false;
  }
}
