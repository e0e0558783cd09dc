import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { cropOf, type Focus } from '#domain/crop.ts';

/*
 * `npm run maintain -- art` encodes the pictures of the shop's own pages from the demo catalogue's artwork into
 * src/art. The results are checked in, so that no build waits for an AVIF encoder.
 */

const SOURCE = new URL('../catalogue/art/', import.meta.url);
const TARGET = new URL('../../src/art/', import.meta.url);

const SMALL = [320, 480];

/** Widths in px of each picture's AVIF files. The middle one also comes as WebP, for browsers without AVIF. */
const WIDTHS: Readonly<Record<string, readonly number[]>> = {
  hero: [720, 1200, 1800],
  apple: SMALL,
  blueberry: SMALL,
  grape: SMALL,
  dragonfruit: SMALL,
  bowl: SMALL,
};

/**
 * The part of a picture that phones show, which cuts off its sides: how wide it is for its height, and where its middle
 * lies. Nothing outside is sent. Phones have dense screens, which hide what the lower quality loses.
 */
const PHONES: Readonly<
  Record<string, { readonly ratio: number; readonly focus: Focus; readonly widths: readonly number[] }>
> = {
  hero: { ratio: 1.123, focus: { x: 51.7, y: 50 }, widths: [540, 724, 1011] },
};
const PHONE_QUALITY = 40;

async function encodeForPhones(name: string): Promise<void> {
  const phones = PHONES[name];
  if (!phones) return;
  const source = fileURLToPath(new URL(`${name}.webp`, SOURCE));
  const part = cropOf(await sharp(source).metadata(), phones.ratio, phones.focus);
  for (const width of phones.widths) {
    await sharp(source)
      .extract(part)
      .resize({ width })
      .avif({ quality: PHONE_QUALITY, effort: 7 })
      .toFile(fileURLToPath(new URL(`${name}phone-${width}.avif`, TARGET)));
  }
}

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
for (const [name, widths] of Object.entries(WIDTHS)) {
  const middle = widths[Math.floor(widths.length / 2)];
  for (const width of widths) {
    const picture = sharp(fileURLToPath(new URL(`${name}.webp`, SOURCE))).resize({ width });
    const file = (format: string) => fileURLToPath(new URL(`${name}-${width}.${format}`, TARGET));
    await picture.clone().avif({ quality: 50, effort: 7 }).toFile(file('avif'));
    if (width === middle) await picture.clone().webp({ quality: 72, effort: 6 }).toFile(file('webp'));
  }
  await encodeForPhones(name);
}

/** The preview picture of a shared link: the hero on the home page's background colour. */
const hero = await sharp(fileURLToPath(new URL('hero.webp', SOURCE)))
  .resize({ width: 1300 })
  .extract({ left: 50, top: 20, width: 1200, height: 630 })
  .toBuffer();
await sharp(hero)
  .flatten({ background: '#c9ebd0' })
  .jpeg({ quality: 80, mozjpeg: true })
  .toFile(fileURLToPath(new URL('../../public/og.jpg', import.meta.url)));
