/**
 * The formats of pictures that the shop decodes, by a file's first bytes. Every picture is checked before any decoder
 * sees it: decoders guess formats by themselves, and a compressed SVG of 200 KB cost one of them 1.7 GB.
 */
const SIGNATURES = [
  { format: 'jpeg', at: 0, texts: ['\xff\xd8\xff'] },
  { format: 'png', at: 0, texts: ['\x89PNG\r\n\x1a\n'] },
  { format: 'webp', at: 8, texts: ['WEBP'] },
  // An HEIC picture can have the last brand, too: its compression is only known from its header.
  { format: 'avif', at: 4, texts: ['ftypavif', 'ftypavis', 'ftypmif1'] },
] as const;

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

/** Returns undefined for everything that is not one of the formats, such as SVG in any disguise. */
export function pictureFormatOf(bytes: Uint8Array): PictureFormat | undefined {
  const found = SIGNATURES.find(({ at, texts }) => texts.some((text) => hasText(bytes, text, at)));
  return found?.format === 'webp' && !hasText(bytes, 'RIFF', 0) ? undefined : found?.format;
}
