import { createHash } from 'node:crypto';
import { cpSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { forAll } from '#scripts/publish/site/built-pages.ts';
import { ASSETS, DICTIONARY, isCompressible, isHtml } from '#scripts/publish/site/hosting.ts';
import { compressWith, type Dictionary } from '#scripts/serve/dictionary.ts';
import { type Files, hashOf } from './manifest.ts';

/** Pages whose markup other pages share. Product pages come after them, closest to the compressed pages. */
const PAGES = ['index.html', 'products.html', 'cart.html'];

/** With four product pages the demo shop's dictionary is 22 KiB as sent. Each further one adds 500 bytes. */
const PRODUCTS = 4;

/** Returns products at equal distances in the catalogue, because products of one category share attribute names. */
const spread = (products: readonly string[]): (string | undefined)[] =>
  Array.from(
    { length: PRODUCTS },
    (_, index) => products[Math.floor(((index + 0.5) * products.length) / PRODUCTS)],
  );

/**
 * Puts a compression dictionary into a site: the file `kept` of the live release, or a new one from the site's own pages.
 * Returns its path within the site. The file name contains the hash of the content.
 */
export async function addDictionary(
  site: string,
  products: readonly string[],
  kept?: string,
): Promise<string> {
  const pages = [...PAGES, ...new Set(spread(products).map((id) => `product/${id}.html`))];
  const found = pages.map((page) => join(site, page)).filter((file) => existsSync(file));
  const older = kept === undefined ? undefined : await readFile(kept).catch(() => undefined);
  const content = older ?? Buffer.concat(await Promise.all(found.map((file) => readFile(file))));
  const file = `${DICTIONARY}${createHash('sha256').update(content).digest('base64url').slice(0, 12)}.txt`;
  await writeFile(join(site, file), content);
  return file;
}

const MIN_BYTES = 512;

type Compress = (file: string, content: Buffer) => Promise<Buffer>;

const isAsset = (file: string): boolean => file.startsWith(ASSETS);

/** Assets are cached for a year, so they are compressed hard: 16 ms a file instead of 0.24. */
const brotli: Compress = (file, content) =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: isAsset(file) ? 11 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

const gzipped: Compress = (file, content) => promisify(gzip)(content, { level: isAsset(file) ? 9 : 6 });

/** Writes `.br` and `.gz` beside text files, and `.dcz` beside pages, unless they are already there. */
export async function compressSite(
  site: string,
  files: readonly string[],
  dictionary: Dictionary,
): Promise<void> {
  const encodings: readonly (readonly [suffix: string, compress: Compress])[] = [
    ['.br', brotli],
    ['.gz', gzipped],
    ['.dcz', (_, page) => compressWith(dictionary, page)],
  ];
  await forAll(files.filter(isCompressible), async (file) => {
    const path = join(site, file);
    const own = encodings.filter(([suffix]) => suffix !== '.dcz' || isHtml(file));
    const missing = own.filter(([suffix]) => !existsSync(path + suffix));
    const content = missing.length > 0 ? await readFile(path) : Buffer.alloc(0);
    if (content.length < MIN_BYTES) return;
    for (const [suffix, compress] of missing) {
      const compressed = await compress(file, content);
      if (compressed.length < content.length) await writeFile(path + suffix, compressed);
    }
  });
}

/** Suffixes of a file and its encodings: '' is the file itself. */
export type Encodings = readonly ['', ...string[]];

export const ALL_ENCODINGS: Encodings = ['', '.br', '.gz', '.dcz'];

interface LinkedSite {
  readonly site: string;
  readonly files: Files;
}

function linkEncodings(from: string, to: string, encodings: Encodings): void {
  mkdirSync(dirname(to), { recursive: true });
  for (const encoding of encodings) {
    if (!existsSync(from + encoding)) continue;
    rmSync(to + encoding, { force: true });
    try {
      linkSync(from + encoding, to + encoding);
    } catch {
      // Linux links no file of another user, and no disk a file of another one.
      cpSync(from + encoding, to + encoding, { preserveTimestamps: true });
    }
  }
}

/**
 * Replaces each file that has the same bytes in the release before, and its encodings, by hard links. So the
 * file's time stays, and with it the ETag that nginx and Caddy make of time and size. Browsers and CDNs fetch only
 * what changed.
 */
export async function linkEqualFiles(
  now: LinkedSite,
  before: LinkedSite,
  encodings: Encodings,
): Promise<void> {
  for (const [name, hash] of Object.entries(now.files)) {
    if (before.files[name] !== hash) continue;
    const old = join(before.site, name);
    // An operator may have replaced the file, such as sw.js in an emergency.
    const content = await readFile(old).catch(() => undefined);
    if (content && hashOf(content) === hash) linkEncodings(old, join(now.site, name), encodings);
  }
}

/** Adds the hashed assets of another release, for pages that visitors still have open. */
export function linkAssets(site: string, other: LinkedSite, encodings: Encodings): void {
  for (const name of Object.keys(other.files)) {
    if (!isAsset(name) || existsSync(join(site, name))) continue;
    linkEncodings(join(other.site, name), join(site, name), encodings);
  }
}
