import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ASSETS, DICTIONARY, isCompressible, isHtml } from '#scripts/publish/site/hosting.ts';
import { compressWith, type Dictionary } from '#scripts/serve/dictionary.ts';
import { readCatalogueReport } from './manifest.ts';

/** Pages whose markup other pages share. The product pages follow them, nearest to the pages that are compressed. */
const PAGES = ['index.html', 'products.html', 'cart.html'];

/** With four product pages the demo shop's dictionary is 22 KiB as sent; each further one adds 500 bytes. */
const PRODUCTS = 4;

/** Product pages at equal distances in the catalogue, because products of one category share names of attributes. */
async function spreadProducts(site: string): Promise<string[]> {
  const ids = Object.keys((await readCatalogueReport(site)).products);
  const count = Math.min(PRODUCTS, ids.length);
  const positions = Array.from({ length: count }, (_, index) =>
    Math.floor(((index + 0.5) * ids.length) / count),
  );
  return positions.map((position) => `product/${ids[position]}.html`);
}

const fileOf = (content: Buffer): string =>
  `${DICTIONARY}${createHash('sha256').update(content).digest('base64url').slice(0, 12)}.txt`;

/**
 * Puts a compression dictionary into a site: the one of the `live` release, unless someone has edited it, or else a new
 * one of the site's own pages. Returns its path within the site. The file name contains the hash of the content.
 */
export async function addDictionary(
  site: string,
  pages: readonly string[],
  live?: { readonly site: string; readonly file: string },
): Promise<string> {
  const older = live && (await readFile(join(live.site, live.file)).catch(() => undefined));
  const parts = [...PAGES, ...(await spreadProducts(site))].filter((page) => pages.includes(page));
  const content =
    older && fileOf(older) === live.file
      ? older
      : Buffer.concat(await Promise.all(parts.map((page) => readFile(join(site, page)))));
  await writeFile(join(site, fileOf(content)), content);
  return fileOf(content);
}

/** Brotli's quality for assets, which are cached for a year, and for other files: 16 ms or 0.24 ms a file. */
const HARD = 11;

const QUICK = 5;

const LEAST_BYTES = 512;

const AT_ONCE = 8;

type Compress = (file: string, content: Buffer) => Promise<Buffer>;

const qualityOf = (file: string): number => (file.startsWith(ASSETS) ? HARD : QUICK);

const brotli: Compress = (file, content) =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: qualityOf(file),
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

const gzipped: Compress = (file, content) =>
  promisify(gzip)(content, { level: qualityOf(file) === HARD ? 9 : 6 });

const READ_BY_HOSTS = new Set(['_headers', '_redirects']);

/** Writes the compressed forms that a file does not have yet. */
async function compressFile(site: string, file: string, forms: ReadonlyMap<string, Compress>): Promise<void> {
  const path = join(site, file);
  const content = await readFile(path);
  if (content.length < LEAST_BYTES) return;
  await Promise.all(
    [...forms].map(async ([suffix, compress]) => {
      if (existsSync(path + suffix)) return;
      const form = await compress(file, content);
      if (form.length < content.length) await writeFile(path + suffix, form);
    }),
  );
}

/** Writes `.br` and `.gz` beside text files, and `.dcz` beside pages, unless they are already there. */
export async function compressSite(
  site: string,
  files: readonly string[],
  dictionary: Dictionary | undefined,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  const forms = new Map([
    ['.br', brotli],
    ['.gz', gzipped],
  ]);
  const ofPages = dictionary
    ? new Map([...forms, ['.dcz', (_, page) => compressWith(dictionary, page)] satisfies [string, Compress]])
    : forms;
  const formsOf = (file: string) => (isHtml(file) ? ofPages : forms);
  const lacksOne = (file: string): boolean =>
    [...formsOf(file).keys()].some((suffix) => !existsSync(join(site, file + suffix)));
  const unfinished = files.filter(
    (file) => isCompressible(file) && !READ_BY_HOSTS.has(file) && lacksOne(file),
  );
  for (let start = 0; start < unfinished.length; start += AT_ONCE) {
    await Promise.all(
      unfinished.slice(start, start + AT_ONCE).map((file) => compressFile(site, file, formsOf(file))),
    );
    onProgress(Math.min(start + AT_ONCE, unfinished.length), unfinished.length);
  }
}
