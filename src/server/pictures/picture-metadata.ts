import { extname } from 'node:path';
import type { PictureFormat } from '#domain/picture.ts';

/** How a format divides a file into blocks, and those that only say what is drawn. Others may tell where and by whom it was taken. */
interface Format {
  /** In bytes: what comes before the first block. */
  readonly start: number;
  readonly sizeOf: (file: Buffer, at: number) => number;
  readonly nameOf: (file: Buffer, at: number, size: number) => string;
  readonly drawn: string;
}

const text = (file: Buffer, at: number): string => file.toString('latin1', at, at + 4);

const END_OF_IMAGE = 0xd9;

const START_OF_SCAN = 0xda;

/** Returns where the pixels of a scan end: at the next marker that is neither a stuffed 0xff nor a restart. */
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
    // JFIF without a thumbnail, and what Adobe says about the colours, have exactly these lengths.
    nameOf: (file, at, size) => {
      const marker = file.toString('hex', at, at + 2);
      return marker === 'ffe0' || marker === 'ffee' ? `${text(file, at + 4)}-${size}` : marker;
    },
    drawn: 'JFIF-18 Adob-16 ffdb ffc0 ffc1 ffc2 ffc4 ffdd ffda ffd9',
  },
  png: {
    start: 8,
    sizeOf: (file, at) => 12 + file.readUInt32BE(at),
    nameOf: (file, at) => text(file, at + 4),
    drawn: 'IHDR PLTE tRNS gAMA cHRM sRGB pHYs bKGD sBIT IDAT IEND',
  },
  webp: {
    start: 12,
    sizeOf: (file, at) => 8 + Math.ceil(file.readUInt32LE(at + 4) / 2) * 2,
    nameOf: (file, at) => text(file, at).trim(),
    drawn: 'VP8X ALPH VP8 VP8L',
  },
  avif: {
    start: 0,
    sizeOf: (file, at) => file.readUInt32BE(at),
    nameOf: (file, at, size) => {
      const items = file.toString('latin1', at, at + size);
      const name = text(file, at + 4);
      return name === 'meta' && /Exif|mime|uri |thmb/.test(items) ? 'meta of more than a picture' : name;
    },
    drawn: 'ftyp meta mdat',
  },
} as const satisfies Readonly<Record<PictureFormat, Format>>;

const isFormat = (name: string): name is PictureFormat => Object.hasOwn(FORMATS, name);

/** The format that the file name of a picture (`isImageName`) says. Also the second half of its media type. */
export function formatOf(name: string): PictureFormat {
  const ending = extname(name).slice(1);
  return isFormat(ending) ? ending : 'jpeg';
}

/** Whether the file of a picture holds nothing but what is drawn: no metadata, no second picture, nothing behind its end. */
export function hasNoMetadata(bytes: Uint8Array, format: PictureFormat): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { start, sizeOf, nameOf, drawn }: Format = FORMATS[format];
  const allowed = new Set(drawn.split(' '));
  try {
    let at = start;
    while (at < file.length) {
      const size = sizeOf(file, at);
      if (size <= 0 || !allowed.has(nameOf(file, at, size))) return false;
      at += size;
    }
    return at === file.length;
  } catch {
    // A block that ends behind the end of the file.
    return false;
  }
}
