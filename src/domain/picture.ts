import type { Rupees } from './money.ts';

/** A point of a picture: `x` in per cent from the left, `y` in per cent from the top. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the largest crop, in px, of that ratio (width / height), centred on the focus as far as possible. */
export function cropOf({ width, height }: Size, ratio: number, { x, y }: Focus) {
  const part = {
    width: Math.max(1, Math.min(width, Math.round(height * ratio))),
    height: Math.max(1, Math.min(height, Math.round(width / ratio))),
  };
  const start = (whole: number, piece: number, percent: number): number =>
    Math.round(Math.min(Math.max(0, (percent / 100) * whole - piece / 2), whole - piece));
  return { ...part, left: start(width, part.width, x), top: start(height, part.height, y) };
}

export interface Tile {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  readonly tint: string;
  /** As in a card. */
  readonly soldOut?: string | undefined;
  readonly thumb?: string;
}

export const thumbOf = (picture: Picture | undefined): string | undefined =>
  picture && (picture.srcset?.split(' ')[0] ?? picture.src);

export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** The `<source>`s of a `<picture>`. Phones may show a crop (art direction). */
export interface PictureSources {
  /** AVIF candidates, narrowest first. */
  readonly avif: string;
  /** AVIF candidates of the crop for phones; '' if they show the whole picture. */
  readonly phone: string;
  /** The `src` for browsers without AVIF. */
  readonly fallback: string;
}

/** The crops of the owner's picture on the home page, as width / height. */
export const HERO_RATIO = { phone: 1011 / 900, wide: 2 } as const;

/** The assumed size, in px, of a picture without metadata. The box around it fixes the layout. */
const UNKNOWN_SIDE = 640;

/** A picture without metadata: the server's address, without encoded variants. */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });

/** A card with the server's picture, because the build has not encoded it. */
export const withPlainPicture = <Card extends { readonly image: string }>(
  card: Card,
): Card & { readonly picture?: Picture } =>
  card.image === '' ? card : { ...card, picture: plainPicture(card.image) };

interface Signature {
  readonly format: string;
  readonly start: string;
  /** The offset of one of `texts`, in bytes. */
  readonly at?: number;
  readonly texts?: readonly string[];
}

/**
 * The picture formats that the shop decodes, by a file's first bytes. Every picture is checked before it reaches a decoder:
 * decoders guess formats, and a compressed SVG of 200 KB cost one of them 1.7 GB.
 */
const SIGNATURES = [
  { format: 'jpeg', start: '\xff\xd8\xff' },
  { format: 'png', start: '\x89PNG\r\n\x1a\n' },
  { format: 'webp', start: 'RIFF', at: 8, texts: ['WEBP'] },
  // The file starts with the small length of its first box, unlike a gzip or TIFF file with these texts. HEIC pictures
  // can have the last brand too: only the header shows the compression.
  { format: 'avif', start: '\0\0', at: 4, texts: ['ftypavif', 'ftypavis', 'ftypmif1'] },
] as const satisfies readonly Signature[];

export type PictureFormat = (typeof SIGNATURES)[number]['format'];

/** In bytes, for one picture while it is decoded. */
const DECODING_MEMORY = 2 ** 30;

/** Measured with sharp, at worst: a progressive, rotated or cropped picture. Others take a tenth. */
const BYTES_PER_PIXEL: Readonly<Record<PictureFormat, number>> = { jpeg: 5, png: 5, webp: 9, avif: 18 };

/** Limits memory: phones make JPEG pictures of 50 to 200 megapixels, 8,192 × 6,144 to 16,384 × 12,288. */
export const maxMegapixels = (format: PictureFormat): number =>
  Math.floor(DECODING_MEMORY / BYTES_PER_PIXEL[format] / 1_000_000);

/** In bytes, of a file: the largest that phones make of 50 megapixels. */
export const MAX_PICTURE_BYTES = 30 * 1024 * 1024;

/** The libvips loaders of these formats. Code that uses sharp must block all others. */
export const PICTURE_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
];

const hasText = (bytes: Uint8Array, text: string, at: number): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

const isOf = (bytes: Uint8Array, { start, at = 0, texts = [''] }: Signature): boolean =>
  hasText(bytes, start, 0) && texts.some((text) => hasText(bytes, text, at));

/** Returns undefined for any other format, such as a disguised SVG. */
export const pictureFormatOf = (bytes: Uint8Array): PictureFormat | undefined =>
  SIGNATURES.find((signature) => isOf(bytes, signature))?.format;
