import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DICTIONARY } from './hosting.ts';

/**
 * The pages that the dictionary is made of, because other pages share their markup. A product page follows last, so
 * that it is nearest to the pages that are compressed with the dictionary.
 */
const PAGES = ['index.html', 'products.html', 'cart.html'];

/** The product page of median size, which has the parts that most product pages have. */
async function typicalProduct(site: string, pages: readonly string[]): Promise<string[]> {
  const products = pages.filter((file) => file.startsWith('product/'));
  const sized = await Promise.all(
    products.map(async (file) => ({ file, size: (await stat(join(site, file))).size })),
  );
  const bySize = sized.sort((a, b) => a.size - b.size || (a.file < b.file ? -1 : 1));
  const middle = bySize.length >> 1;
  return bySize.slice(middle, middle + 1).map(({ file }) => file);
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
  const parts = [...PAGES.filter((page) => pages.includes(page)), ...(await typicalProduct(site, pages))];
  const content =
    older && fileOf(older) === live.file
      ? older
      : Buffer.concat(await Promise.all(parts.map((page) => readFile(join(site, page)))));
  await writeFile(join(site, fileOf(content)), content);
  return fileOf(content);
}
