import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPictures } from '#catalogue/images/create-pictures.ts';
import { PRODUCT_RECIPE } from '#catalogue/images/picture-of.ts';

const draw = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background } })
    .webp()
    .toBuffer();

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A PNG that says how large it is, and holds no pixel of it. */
function emptyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', Buffer.alloc(0)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

const files = new Map<string, Buffer>();
let asked: string[] = [];
const server = createServer((request, response) => {
  const body = files.get(request.url ?? '');
  const etag = `"${body?.length}"`;
  asked.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
  if (!body) response.writeHead(404).end();
  else if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.writeHead(200, { ETag: etag }).end(body);
});

let origin = '';
let folder = '';
let warnings: string[] = [];

beforeAll(async () => {
  files.set('/red.webp', await draw(800, 400, 'red'));
  files.set('/small.webp', await draw(100, 100, 'blue'));
  files.set('/logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  files.set('/huge.png', emptyPng(10_000, 10_000));
  files.set('/broken.webp', Buffer.from('RIFFxxxxWEBP'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  asked = [];
  warnings = [];
  return () => rm(folder, { recursive: true });
});

const settings = (out: string) => ({
  cache: join(folder, 'cache'),
  out: join(folder, out),
  apiOrigin: origin,
  warn: (text: string) => warnings.push(text),
});

const pictures = (out = 'out') => createPictures(settings(out), PRODUCT_RECIPE);

test('a picture gets variants no wider than itself, and its own proportions', async () => {
  const picture = await pictures()(`${origin}/red.webp`);
  expect(picture).toMatchObject({ width: 800, height: 400 });
  expect(picture.src).toMatch(/^\/_astro\/img\/[\da-f]{12}-640\.avif$/);
  expect(picture.srcset?.match(/ \d+w/g)).toEqual([' 320w', ' 528w', ' 640w', ' 800w']);
  const names = await readdir(join(folder, 'out'));
  expect(names).toHaveLength(4);
  const widths = await Promise.all(
    names.map(async (name) => (await sharp(join(folder, 'out', name)).metadata()).width),
  );
  expect(widths.sort()).toEqual([320, 528, 640, 800]);
  expect((await pictures()(`${origin}/small.webp`)).srcset?.match(/ \d+w/g)).toEqual([' 100w']);
});

test('an address is asked once a build, and then with its validator', async () => {
  const first = pictures('one');
  const [one, again] = await Promise.all([first(`${origin}/red.webp`), first(`${origin}/red.webp`)]);
  const second = await pictures('two')(`${origin}/red.webp`);
  expect(asked).toEqual(['/red.webp', expect.stringMatching(/^\/red\.webp "\d+"$/)]);
  expect(again).toEqual(one);
  expect(second).toEqual(one);
  expect(await readdir(join(folder, 'two'))).toEqual(await readdir(join(folder, 'one')));
});

test('no more pictures are in memory than are worked on, however many there are', async () => {
  const many = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      files.set(`/many-${index}.webp`, await draw(400, 400 + index, 'green'));
      return `${origin}/many-${index}.webp`;
    }),
  );
  let finished = 0;
  let most = 0;
  const make = pictures();
  const count = (): void => {
    most = Math.max(most, asked.length - finished);
  };
  server.on('request', count);
  await Promise.all(
    many.map(async (address) => {
      await make(address);
      finished += 1;
    }),
  );
  server.off('request', count);
  expect(asked).toHaveLength(24);
  expect(most).toBeLessThanOrEqual(6);
});

test('the same picture makes the same bytes, without a cache too', async () => {
  await pictures('one')(`${origin}/red.webp`);
  await rm(join(folder, 'cache'), { recursive: true });
  await pictures('two')(`${origin}/red.webp`);
  for (const name of await readdir(join(folder, 'one'))) {
    const [one, two] = await Promise.all(['one', 'two'].map((out) => readFile(join(folder, out, name))));
    expect(two).toEqual(one);
  }
});

test.each([
  ['/logo.svg', /is no JPEG, PNG, WebP or AVIF picture/],
  ['/broken.webp', /./],
  ['/none.webp', /answered 404/],
  ['/huge.png', /more than 50 megapixels/],
])('[fault 51, 82] %s is passed on as it is, with a warning', async (path, reason) => {
  const picture = await pictures()(origin + path);
  expect(picture).toEqual({ src: origin + path, width: 640, height: 640 });
  expect(warnings).toEqual([expect.stringMatching(reason)]);
});
