import { randomFillSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { inspect } from '#catalogue/images/encode.ts';
import { MAX_PICTURE_BYTES } from '#domain/picture.ts';
import { readCatalogue } from '#server/catalogue/folder/read.ts';
import { compiled } from '#server/db/query.ts';
import { formatOf } from '#server/pictures/picture-metadata.ts';
import { isPublishable, preparePicture } from '#server/pictures/prepare-picture.ts';
import { addPicture, pictureNames, removePictures } from '#server/pictures/stored-pictures.ts';
import { replaceStore, requireStore } from '#server/store/stored-store.ts';
import { MANGO, testApi } from '#tests/server/support/api.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { HUGE_PNG } from '#tests/support/samples.ts';

const canvas = (width: number, height: number, background = '#fa0') =>
  sharp({ create: { width, height, channels: 3, background } });

const reasonFor = (bytes: Uint8Array): Promise<string> =>
  preparePicture(bytes).then(
    () => 'ready',
    ({ message }) => message,
  );

describe('preparing a picture', () => {
  it('makes WebP of at most 1,600 px, never enlarges, and names equal pictures alike', async () => {
    const large = await preparePicture(await canvas(2_000, 1_000).jpeg().toBuffer());
    expect(await sharp(large.bytes).metadata()).toMatchObject({ format: 'webp', width: 1_600, height: 800 });
    expect(large.name).toMatch(/^[0-9a-f]{32}\.webp$/);
    const png = await canvas(30, 30).png().toBuffer();
    const [one, other] = await Promise.all([preparePicture(png), preparePicture(png)]);
    expect((await sharp(one.bytes).metadata()).width).toBe(30);
    expect(one.name).toBe(other.name);
    expect((await preparePicture(await canvas(30, 30, '#0af').png().toBuffer())).name).not.toBe(one.name);
  });

  const NO_PICTURE = 'This is not a JPEG, PNG, WebP or AVIF picture.';

  it.each([
    ['a text', Buffer.from('not a picture'), NO_PICTURE],
    ['100 MB', new Uint8Array(100 * 1024 * 1024), 'This file is larger than 30 MB.'],
    ['a byte too many', new Uint8Array(MAX_PICTURE_BYTES + 1), 'This file is larger than 30 MB.'],
    ['the head of a JPEG alone', Buffer.from('ffd8ffe000104a464946', 'hex'), 'This picture is broken'],
    [
      'noise behind a PNG’s first bytes',
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomFillSync(Buffer.alloc(99))]),
      'This picture is broken',
    ],
  ])('refuses %s with a sentence', async (_name, bytes, reason) => {
    expect(await reasonFor(bytes)).toContain(reason);
  });

  it('takes a phone’s picture of 50 megapixels, and refuses one of 400 before it is decoded', async () => {
    const phone = await canvas(8_192, 6_144).jpeg().toBuffer();
    const { bytes } = await preparePicture(phone);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1_600, height: 1_200 });
    expect(await inspect(phone)).toMatchObject({ width: 8_192 });
    expect(await reasonFor(HUGE_PNG)).toBe(
      'This picture has 400 megapixels. At most 214 are possible in PNG: make it smaller first.',
    );
  });

  it('refuses a file that ends too early', async () => {
    const whole = await canvas(400, 400).jpeg().toBuffer();
    expect(await reasonFor(whole.subarray(0, whole.byteLength / 2))).toContain('This picture is broken');
  });

  it('refuses pictures when the queue is full', async () => {
    const png = await canvas(800, 800).png().toBuffer();
    const reasons = await Promise.all(Array.from({ length: 30 }, () => reasonFor(png)));
    expect(reasons.filter((reason) => reason === 'ready').length).toBe(11);
    expect(reasons.at(-1)).toContain('Please try again in a minute.');
    expect(await reasonFor(png)).toBe('ready');
  });
});

/** Adds a segment before the pixels of a JPEG. */
const withSegment = (jpeg: Buffer, marker: number, content: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, content.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(content, 'latin1'), jpeg.subarray(2)]);
};

describe('a picture of the catalogue’s folder', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'needs no preparation after it was prepared once: %s',
    async (format) => {
      const { bytes } = await preparePicture(await canvas(40, 20).webp().toBuffer(), format);
      expect(isPublishable(bytes, format)).toBe(true);
      for (const other of ['jpeg', 'png', 'webp', 'avif'] as const) {
        if (other !== format) expect(isPublishable(bytes, other)).toBe(false);
      }
    },
  );

  it('must be prepared if its file contains anything besides the image', async () => {
    const [jpeg, png, webp] = await Promise.all([
      canvas(40, 20).jpeg({ progressive: true }).toBuffer(),
      canvas(40, 20).png().toBuffer(),
      canvas(40, 20).webp().toBuffer(),
    ]);
    const behind = Buffer.from('a video of the moment before');
    const chunk = Buffer.from('XMP \x04\x00\x00\x00Asha', 'latin1');
    const longer = Buffer.from(webp);
    longer.writeUInt32LE(webp.length - 8 + chunk.length, 4);
    const odd: [string, Uint8Array, 'jpeg' | 'png' | 'webp'][] = [
      ['a thumbnail in its JFIF', withSegment(jpeg, 0xe0, 'JFXX\0thumbnail'), 'jpeg'],
      ['a second picture', withSegment(jpeg, 0xe2, 'MPF\0'), 'jpeg'],
      ['a comment', withSegment(jpeg, 0xfe, 'Asha, Pune'), 'jpeg'],
      ['a video after a JPEG', Buffer.concat([jpeg, behind]), 'jpeg'],
      ['bytes after a PNG', Buffer.concat([png, behind]), 'png'],
      ['bytes after a WebP', Buffer.concat([webp, behind]), 'webp'],
      ['an XMP block of a WebP', Buffer.concat([longer, chunk]), 'webp'],
      ['half a file', png.subarray(0, png.length - 6), 'png'],
      ['half a JPEG', jpeg.subarray(0, jpeg.length - 20), 'jpeg'],
      ['a PNG without its end', png.subarray(0, png.length - 12), 'png'],
      ['CMYK', await canvas(40, 20).toColourspace('cmyk').jpeg().toBuffer(), 'jpeg'],
    ];
    expect(isPublishable(jpeg, 'jpeg')).toBe(true);
    for (const [what, bytes, format] of odd) expect(isPublishable(bytes, format), what).toBe(false);
  });

  it('is made smaller above 15 MB', async () => {
    const large = await canvas(2_400, 2_400).png({ compressionLevel: 0 }).toBuffer();
    expect(isPublishable(large, 'png')).toBe(false);
    expect(await reasonFor(large)).toBe('ready');
  });

  it('needs no preparation in the demo shop, so that it starts quickly', () => {
    for (const { name, file } of readCatalogue('scripts/demo').pictures)
      expect(isPublishable(readFileSync(file), formatOf(name)), name).toBe(true);
  });
});

describe('the pictures of the shop', () => {
  it('are read from the database once for parallel requests, and again after a change', async () => {
    const { db, ask } = await testApi();
    const bytes = randomFillSync(new Uint8Array(300_000));
    const picture = { name: 'large.webp', etag: randomUUID(), bytes };
    await db.write((transaction) => addPicture(transaction, picture));
    const row = vi.spyOn(db, 'row');
    const reads = () => row.mock.calls.filter(([query]) => compiled(query).sql.includes('bytes')).length;
    const fetched = async () => {
      const answer = await ask('/images/large.webp');
      return [answer.headers.get('content-length'), answer.text];
    };
    const answers = await Promise.all(Array.from({ length: 20 }, fetched));
    const expected = ['300000', new TextDecoder().decode(bytes)];
    for (const answer of answers) expect(answer).toEqual(expected);
    expect(reads()).toBe(1);
    await runSql(
      db,
      'UPDATE pictures SET etag = ?, bytes = ? WHERE name = ?',
      randomUUID(),
      Buffer.from('new'),
      'large.webp',
    );
    expect(await fetched()).toEqual(['3', 'new']);
  });

  it('are stored once, served, and deleted only when unused', async () => {
    const { db, ask, changeProduct } = await testApi();
    const before = await pictureNames(db);
    const picture = await preparePicture(await canvas(9, 9).png().toBuffer());
    await db.write((transaction) => addPicture(transaction, picture));
    await db.write((transaction) => addPicture(transaction, { ...picture, bytes: new Uint8Array(1) }));
    expect((await ask(`/images/${picture.name}`)).headers.get('content-type')).toBe('image/webp');
    const save = (imgUrl: string) => changeProduct(MANGO, { imgUrl, images: [{ url: imgUrl }] });
    await save(picture.name);
    await db.write((transaction) => removePictures(transaction, [picture.name, 'logo.webp']));
    expect(await pictureNames(db)).toEqual(expect.arrayContaining([picture.name, 'logo.webp']));
    await save('logo.webp');
    expect((await ask(`/images/${picture.name}`)).status).toBe(404);
    expect(await pictureNames(db)).toEqual(before);
  });

  it('are deleted when the store replaces them', async () => {
    const { db, ask } = await testApi();
    const picture = await preparePicture(await canvas(9, 9).png().toBuffer());
    await db.write(async (tx) => {
      await addPicture(tx, picture);
      await replaceStore(tx, { ...(await requireStore(tx)), categoryImages: { Berries: picture.name } });
    });
    expect((await ask(`/images/${picture.name}`)).status).toBe(200);
    await db.write(async (tx) => replaceStore(tx, { ...(await requireStore(tx)), categoryImages: {} }));
    expect((await ask(`/images/${picture.name}`)).status).toBe(404);
  });
});
