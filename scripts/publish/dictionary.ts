import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DICTIONARY } from './hosting.ts';

/**
 * What other pages are made of: home, the listing and an island page. A product follows, last and so nearest to the pages
 * that are compressed with it.
 */
const PAGES = ['index.html', 'products.html', 'cart.html'];

/** The product page of median size, which has what most have. */
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
 * Puts a compression dictionary into a site: the one that is kept, unless someone wrote into it, or one that is made of the
 * site's own pages. Gives its file within the site, whose name is the hash of its content.
 */
export async function addDictionary(
  site: string,
  pages: readonly string[],
  kept?: { readonly site: string; readonly file: string },
): Promise<string> {
  const older = kept && (await readFile(join(kept.site, kept.file)).catch(() => undefined));
  const parts = [...PAGES.filter((page) => pages.includes(page)), ...(await typicalProduct(site, pages))];
  const content =
    older && fileOf(older) === kept.file
      ? older
      : Buffer.concat(await Promise.all(parts.map((page) => readFile(join(site, page)))));
  await writeFile(join(site, fileOf(content)), content);
  return fileOf(content);
}
