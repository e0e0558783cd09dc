import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { inspect } from '#catalogue/images/encode.ts';
import { type PictureFormat, pictureFormatOf } from '#domain/picture.ts';
import { preparePicture } from '#server/pictures/prepare-picture.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

/** The signature of AVIF without the bytes before it. */
const posingAsAvif = (start: string): Uint8Array =>
  Buffer.from(`${start}ftypavif${' '.repeat(99)}`, 'latin1');

const empty = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#fa0' } });

test.each<PictureFormat>(['jpeg', 'png', 'webp', 'avif'])(
  '%s is recognised by its first bytes',
  async (format) => {
    const bytes = await empty().toFormat(format).toBuffer();
    expect(pictureFormatOf(bytes)).toBe(format);
    expect(await inspect(bytes)).toMatchObject({ width: 9, height: 9 });
    await expect(preparePicture(bytes)).resolves.toHaveProperty('name');
  },
);

test.each<[string, Uint8Array]>([
  ['SVG', Buffer.from(SVG)],
  ['SVG after a blank', Buffer.from(` ${SVG}`)],
  ['SVG after a newline', Buffer.from(`\n${SVG}`)],
  ['SVG after a byte order mark', Buffer.from(`\ufeff${SVG}`)],
  ['SVG in UTF-16', Buffer.from(`\ufeff${SVG}`, 'utf16le')],
  ['SVG after an XML declaration', Buffer.from(`<?xml version="1.0"?>\n${SVG}`)],
  ['SVG in gzip', gzipSync(SVG)],
  ['PDF', Buffer.from('%PDF-1.7\n')],
  ['TIFF', Buffer.from('49492a0008000000', 'hex')],
  ['GIF', await empty().gif().toBuffer()],
  ['a sound in RIFF', Buffer.from('RIFFxxxxWAVEfmt ')],
  ['gzip with the texts of AVIF in its header', posingAsAvif('\x1f\x8b\x08\x04')],
  ['SVG with the texts of AVIF', posingAsAvif('<svg')],
  ['TIFF with the texts of AVIF', posingAsAvif('II*\0')],
  ['GIF with the texts of AVIF', posingAsAvif('GIF8')],
  ['nothing', new Uint8Array()],
])('%s is refused before any decoder, in an upload and in the build', async (_name, bytes) => {
  expect(pictureFormatOf(bytes)).toBeUndefined();
  await expect(inspect(Buffer.from(bytes))).rejects.toThrow('is no JPEG, PNG, WebP or AVIF picture');
  await expect(preparePicture(bytes)).rejects.toThrow('This');
});

test('sharp blocks all other formats', async () => {
  await expect(sharp(Buffer.from(SVG)).metadata()).rejects.toThrow();
  await expect(sharp(gzipSync(SVG)).metadata()).rejects.toThrow();
});
