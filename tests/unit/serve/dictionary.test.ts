import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { compressWith, dictionaryOf } from '#scripts/serve/dictionary.ts';
import { createSite } from '#scripts/serve/handler.ts';
import { temporaryFolder, writeFiles } from '#tests/publish/support/temporary-folder.ts';

const text = (name: string): string =>
  Array.from({ length: 200 }, (_, index) => `<li>${name} ${(index * 7_919) % 1_009}</li>`).join('');
const HOME = text('Apple');
const DICTIONARY = dictionaryOf(Buffer.from(text('Pear')));
const OTHER = dictionaryOf(Buffer.from(text('Plum')));

const root = temporaryFolder(afterAll);
writeFiles(root, {
  'index.html': HOME,
  'style.css': HOME,
  '_astro/dictionary.one.txt': DICTIONARY.content,
  'build-info.json': '{"dictionary":"/_astro/dictionary.one.txt"}',
});

const fetchRaw = async (
  path: string,
  available: string = DICTIONARY.available,
  accepted = 'gzip, deflate, br, zstd, dcb, dcz',
) => {
  const site = await createSite(root);
  return site.request(path, { headers: { 'Accept-Encoding': accepted, 'Available-Dictionary': available } });
};

const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const decoded = (body: Buffer): string =>
  zstdDecompressSync(body.subarray(40), { dictionary: DICTIONARY.content }).toString();

describe('the encoding of a response', () => {
  test.each([
    ['a page, to a browser that holds the dictionary', '/', DICTIONARY.available, 'dcz', 'dcz'],
    ['a page with a query', '/?category=a&page=2', DICTIONARY.available, 'br, dcz', 'dcz'],
    ['a page, to one that holds another dictionary', '/', OTHER.available, 'br, dcz', 'br'],
    ['a page, to one that holds none', '/', '', 'br, dcz', 'br'],
    ['a page, to one that names nonsense', '/', ':AAAA', 'br, dcz', 'br'],
    ['a page, to one that cannot decode it', '/', DICTIONARY.available, 'br, gzip', 'br'],
    ['a page, to one that refuses it', '/', DICTIONARY.available, 'br;q=0, dcz;q=0, gzip', 'gzip'],
    ['a style sheet', '/style.css', DICTIONARY.available, 'gzip, dcz', 'gzip'],
  ])('%s', async (_what, path, available, accepted, encoding) => {
    const response = await fetchRaw(path, available, accepted);
    expect(response.headers.get('content-encoding')).toBe(encoding);
  });

  test('each encoding of a page varies by both headers and has its own ETag', async () => {
    const answers = await Promise.all([
      fetchRaw('/'),
      fetchRaw('/', ''),
      fetchRaw('/', '', 'gzip'),
      fetchRaw('/', '', ''),
    ]);
    for (const { headers } of answers)
      expect(headers.get('vary')).toBe('Accept-Encoding, Available-Dictionary');
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(4);
  });
});

describe('a page that is compressed with the dictionary', () => {
  test('names the dictionary, and decodes to the page', async () => {
    const body = await bodyOf(await fetchRaw('/'));
    expect(body.subarray(0, 40)).toEqual(DICTIONARY.header);
    expect(decoded(body)).toBe(HOME);
    expect(body.length).toBeLessThan(HOME.length / 2);
  });

  test('uses the served dictionary, whatever files are beside the page', async () => {
    writeFiles(root, { 'index.html.dcz': await compressWith(OTHER, Buffer.from(HOME)) });
    const body = await bodyOf(await fetchRaw('/'));
    expect(body.subarray(0, 40)).toEqual(DICTIONARY.header);
    expect(decoded(body)).toBe(HOME);
  });

  test('does not exist without the dictionary', async () => {
    rmSync(join(root, '_astro/dictionary.one.txt'));
    const response = await fetchRaw('/');
    writeFiles(root, { '_astro/dictionary.one.txt': DICTIONARY.content });
    expect(response.headers.get('content-encoding')).toBe('br');
  });
});
