import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPictures } from '#catalogue/images/create-pictures.ts';
import { PRODUCT_VARIANTS } from '#catalogue/images/image-variants.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { listenLocally } from '#tests/support/free-port.ts';
import { HUGE_PNG } from '#tests/support/samples.ts';

const createImage = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background } })
    .webp()
    .toBuffer();

const files = new Map<string, Buffer>();
let requests: string[] = [];
const server = createServer((request, response) => {
  const body = files.get(request.url ?? '');
  const etag = `"${body?.length}"`;
  requests.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
  if (!body) response.writeHead(404).end();
  else if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.writeHead(200, { ETag: etag }).end(body);
});

let origin = '';
let folder = '';
let warnings: string[] = [];

beforeAll(async () => {
  files.set('/red.webp', await createImage(800, 400, 'red'));
  files.set('/small.webp', await createImage(100, 100, 'blue'));
  files.set('/logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  files.set('/huge.png', HUGE_PNG);
  files.set('/broken.webp', Buffer.from('RIFFxxxxWEBP'));
  origin = await listenLocally(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = temporaryFolder();
  requests = [];
  warnings = [];
});

const pictures = (out = 'out') =>
  createPictures(
    {
      cache: join(folder, 'cache'),
      out: join(folder, out),
      apiOrigin: origin,
      warn: (text) => void warnings.push(text),
    },
    PRODUCT_VARIANTS,
  );

test('a picture gets variants that are not wider than itself, and preserves its proportions', async () => {
  const picture = await pictures()(`${origin}/red.webp`);
  expect(picture).toMatchObject({ width: 800, height: 400 });
  expect(picture.src).toMatch(/^\/_astro\/img\/[\da-f]{12}-640\.avif$/);
  expect(picture.srcset?.match(/ \d+w/g)).toEqual([' 320w', ' 528w', ' 640w', ' 800w']);
  const widths = (await readdir(join(folder, 'out'))).map(
    async (name) => (await sharp(join(folder, 'out', name)).metadata()).width,
  );
  expect((await Promise.all(widths)).sort()).toEqual([320, 528, 640, 800]);
  expect((await pictures()(`${origin}/small.webp`)).srcset?.match(/ \d+w/g)).toEqual([' 100w']);
});

test('an address is requested once per build, later with its validator, and gives the same files without a cache', async () => {
  const first = pictures('one');
  const [one, again] = await Promise.all([first(`${origin}/red.webp`), first(`${origin}/red.webp`)]);
  const second = await pictures('two')(`${origin}/red.webp`);
  expect(requests).toEqual(['/red.webp', expect.stringMatching(/^\/red\.webp "\d+"$/)]);
  await rm(join(folder, 'cache'), { recursive: true });
  const third = await pictures('three')(`${origin}/red.webp`);
  expect([again, second, third]).toEqual([one, one, one]);
  const names = await readdir(join(folder, 'one'));
  for (const out of ['two', 'three']) expect(await readdir(join(folder, out))).toEqual(names);
});

test('only the pictures in progress are in memory', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `/many-${index}.webp`);
  for (const [index, path] of many.entries()) files.set(path, await createImage(100, 100 + index, 'green'));
  let finished = 0;
  let most = 0;
  const make = pictures();
  const count = (): void => {
    most = Math.max(most, requests.length - finished);
  };
  server.on('request', count);
  await Promise.all(
    many.map(async (path) => {
      await make(origin + path);
      finished += 1;
    }),
  );
  server.off('request', count);
  expect(requests).toHaveLength(12);
  expect(most).toBeLessThanOrEqual(6);
});

test.each([
  ['/logo.svg', /is no JPEG, PNG, WebP or AVIF picture/],
  ['/broken.webp', /./],
  ['/none.webp', /answered 404/],
  ['/huge.png', /more than 214 megapixels/],
])('%s is used unencoded, with a warning', async (path, reason) => {
  const picture = await pictures()(origin + path);
  expect(picture).toEqual({ src: origin + path, width: 640, height: 640 });
  expect(warnings).toEqual([expect.stringMatching(reason)]);
});
