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
