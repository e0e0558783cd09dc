import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** In bytes, the most that a phone may load, by the width of the variant in px: 412 at 1.75, and at 3. */
const MOST = new Map([
  [724, 22 * 1024],
  [1011, 35 * 1024],
]);

/** Grey, of which a quarter on the right side is red, stored lying on its side as phones do. */
async function photo(): Promise<Buffer> {
  const noise = await sharp({
    create: {
      width: 2_000,
      height: 1_200,
      channels: 3,
      background: '#888',
    },
  })
    .composite([
      {
        input: { create: { width: 500, height: 1_200, channels: 3, background: '#f00' } },
        left: 1_500,
        top: 0,
      },
    ])
    .png()
    .toBuffer();
  // Orientation 6 says that a quarter turn to the right shows it upright.
  return sharp(noise)
    .rotate(270)
    .withExif({ IFD0: { Make: 'Camera of Asha' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

const candidates = (list: string): { path: string; width: number }[] =>
  list.split(', ').map((candidate) => {
    const [path = '', width = ''] = candidate.split(' ');
    return { path, width: Number.parseInt(width, 10) };
  });

/** The mean colour of a part of a picture's middle row. */
async function colourAt(file: Buffer, fromLeft: number): Promise<number[]> {
  const { width, height } = await sharp(file).metadata();
  const part = {
    left: Math.round(width * fromLeft) - 10,
    top: Math.round(height / 2),
    width: 20,
    height: 20,
  };
  const { channels } = await sharp(await sharp(file).extract(part).png().toBuffer()).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

test('[spec 3.store.9] the owner’s picture stands on the home page, with a part for phones around its focus', async () => {
  const api = await startStubApi(1);
  api.pictures.set('/hero.jpg', await photo());
  const hero = { picture: `${api.url}/hero.jpg`, alt: 'A wall of "red" paint', focusX: 90, focusY: null };
  api.store = { ...api.store, hero };
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  const env = { PUBLIC_IMAGES: 'encode', IMAGE_CACHE: join(folder, 'images') };
  const first = await build(dist, api.url, env);
  expect(first.status, first.errors).toBe(0);
  const home = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(home).toContain('alt="A wall of &quot;red&quot; paint"');
  expect(home).not.toContain('still life');

  const [, preload = ''] = /imagesrcset="([^"]+)"/.exec(home) ?? [];
  const [, phone = ''] = /media="\(width < 768px\)"[^>]* srcset="([^"]+)"/.exec(home) ?? [];
  expect(phone).toBe(preload);
  const files = candidates(phone).map(({ path, width }) => ({
    width,
    bytes: readFileSync(join(dist, path)),
  }));
  expect(files.map(({ width }) => width)).toEqual([540, 724, 1011]);
  for (const { width, bytes } of files)
    expect(bytes.length, String(width)).toBeLessThanOrEqual(MOST.get(width) ?? 16 * 1024);
  const [, , widest] = files;
  if (!widest) throw new Error('no widest part');
  expect(await sharp(widest.bytes).metadata()).not.toHaveProperty('exif');
  expect(widest.bytes.includes('Asha')).toBe(false);
  // Of 2,000 px, the part for phones shows the last 1,348, so red begins at 63 % of it.
  const [left, right] = [await colourAt(widest.bytes, 0.55), await colourAt(widest.bytes, 0.72)];
  expect(right[0]).toBeGreaterThan(200);
  expect(right[1]).toBeLessThan(60);
  expect(left[1]).toBeGreaterThan(90);

  api.pictures.set('/hero.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const second = await build(join(folder, 'again'), api.url, env);
  expect(second.status, second.errors).toBe(0);
  expect(second.output + second.errors).toContain(
    "/hero.jpg is left out of the home page, which shows the shop's own picture: is text, such as SVG or HTML",
  );
  const own = readFileSync(join(folder, 'again/index.html'), 'utf8');
  expect(own).toContain('A still life of pineapple');
  expect(own).not.toContain('hero.jpg');
}, 240_000);
