import type { Rupees } from './money.ts';

/** A point of a picture, in per cent of its width from the left and of its height from the top. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The largest part of that ratio (width by height) within the picture, in px, with its middle as near to the focus as it can be. */
export function cropOf({ width, height }: Size, ratio: number, { x, y }: Focus) {
  const part = {
    width: Math.max(1, Math.min(width, Math.round(height * ratio))),
    height: Math.max(1, Math.min(height, Math.round(width / ratio))),
  };
  const start = (whole: number, piece: number, percent: number): number =>
    Math.round(Math.min(Math.max(0, (percent / 100) * whole - piece / 2), whole - piece));
  return { ...part, left: start(width, part.width, x), top: start(height, part.height, y) };
}

/** A product in a row of small cards that show the name and the price alone. */
export interface Tile {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  readonly tint: string;
  /** The address of a small picture. */
  readonly thumb?: string;
}

/** The address of the narrowest variant. */
export const thumbOf = (picture: Picture | undefined): string | undefined =>
  picture && (picture.srcset?.split(' ')[0] ?? picture.src);

/** The attributes of an `<img>`. */
export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** The addresses of a picture of the pages' own frame, of which phones may show a part. */
export interface PictureSources {
  /** AVIF candidates, narrowest first. */
  readonly avif: string;
  /** The part that phones show, as AVIF candidates; '' if they show the whole picture. */
  readonly phone: string;
  /** For clients that do not choose from candidates. */
  readonly fallback: string;
}

/** The parts of the owner's picture that the home page shows, width by height. */
export const HERO_RATIO = { phone: 1011 / 900, wide: 2 } as const;

/** The assumed size, in px, of a picture that the build has not measured. The box around it keeps the layout. */
const UNKNOWN_SIDE = 640;

/** A picture shown at the address that the server gave, without encoded variants. */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });

interface Signature {
  readonly format: string;
  /** What a file begins with. */
  readonly start: string;
  /** Where one of the texts follows, in bytes. */
  readonly at?: number;
  readonly texts?: readonly string[];
}

/**
 * The formats of pictures that the shop decodes, by a file's first bytes. Every picture is checked before any decoder
 * sees it: decoders guess formats by themselves, and a compressed SVG of 200 KB cost one of them 1.7 GB.
 */
const SIGNATURES = [
  { format: 'jpeg', start: '\xff\xd8\xff' },
  { format: 'png', start: '\x89PNG\r\n\x1a\n' },
  { format: 'webp', start: 'RIFF', at: 8, texts: ['WEBP'] },
  // The length of the first box stands before its name. It is small, so other formats begin with other signs: a gzip or a
  // TIFF file can have these texts, too. An HEIC picture can have the last brand: its compression is only known from its header.
  { format: 'avif', start: '\0\0', at: 4, texts: ['ftypavif', 'ftypavis', 'ftypmif1'] },
] as const satisfies readonly Signature[];

export type PictureFormat = (typeof SIGNATURES)[number]['format'];

/** The loaders of libvips for these formats. Whoever uses sharp blocks all others. */
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

/** Returns undefined for everything that is not one of the formats, such as SVG in any disguise. */
export const pictureFormatOf = (bytes: Uint8Array): PictureFormat | undefined =>
  SIGNATURES.find((signature) => isOf(bytes, signature))?.format;
