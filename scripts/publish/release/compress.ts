import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { forAll } from '#scripts/publish/site/built-pages.ts';
import { ASSETS, DICTIONARY, isCompressible, isHtml } from '#scripts/publish/site/hosting.ts';
import { compressWith, type Dictionary } from '#scripts/serve/dictionary.ts';
import { type Files, hashOf } from './manifest.ts';

/** Pages whose markup other pages share. The product pages follow, closest to the pages that are compressed. */
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

const LEAST_BYTES = 512;

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
  const forms: readonly (readonly [suffix: string, compress: Compress])[] = [
    ['.br', brotli],
    ['.gz', gzipped],
    ['.dcz', (_, page) => compressWith(dictionary, page)],
  ];
  await forAll(files.filter(isCompressible), async (file) => {
    const path = join(site, file);
    const own = forms.filter(([suffix]) => suffix !== '.dcz' || isHtml(file));
    const missing = own.filter(([suffix]) => !existsSync(path + suffix));
    const content = missing.length > 0 ? await readFile(path) : Buffer.alloc(0);
    if (content.length < LEAST_BYTES) return;
    for (const [suffix, compress] of missing) {
      const form = await compress(file, content);
      if (form.length < content.length) await writeFile(path + suffix, form);
    }
  });
}

/** Suffixes of a file and its compressed forms: '' is the file itself. */
export type Forms = readonly ['', ...string[]];

export const ALL_FORMS: Forms = ['', '.br', '.gz', '.dcz'];

interface LinkedSite {
  readonly site: string;
  readonly files: Files;
}

function linkForms(from: string, to: string, forms: Forms): void {
  mkdirSync(dirname(to), { recursive: true });
  for (const form of forms) {
    if (!existsSync(from + form)) continue;
    rmSync(to + form, { force: true });
    linkSync(from + form, to + form);
  }
}

/**
 * Replaces each file that has the same bytes in the release before, and its compressed forms, by hard links. So the
 * file's time stays, and with it the ETag that nginx and Caddy make of time and size. Browsers and CDNs fetch only
 * what changed.
 */
export async function linkEqualFiles(now: LinkedSite, before: LinkedSite, forms: Forms): Promise<void> {
  for (const [name, hash] of Object.entries(now.files)) {
    if (before.files[name] !== hash) continue;
    const old = join(before.site, name);
    // An operator may have replaced the file, such as sw.js in an emergency.
    const content = await readFile(old).catch(() => undefined);
    if (content && hashOf(content) === hash) linkForms(old, join(now.site, name), forms);
  }
}

/** Adds the hashed assets of another release, for pages that visitors still have open. */
export function linkAssets(site: string, other: LinkedSite, forms: Forms): void {
  for (const name of Object.keys(other.files)) {
    if (!isAsset(name) || existsSync(join(site, name))) continue;
    linkForms(join(other.site, name), join(site, name), forms);
  }
}
