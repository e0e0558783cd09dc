import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DICTIONARY } from '#scripts/publish/site/hosting.ts';
import { readCatalogueReport } from './catalogue-report.ts';

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
