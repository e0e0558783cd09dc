import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type PageRow, rowOf } from '#page-table.ts';
import { withImports } from '#scripts/publish/site/built-pages.ts';
import { kindOf } from '#scripts/publish/site/content-security-policy.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';

export const KIB = 1024;
export const TOLERANCE = 1.1;
/** At most so many product pages are weighed, because they differ only by their texts. */
const PRODUCT_SAMPLE = 25;

/** The budget of a page that is not in the table. */
const UNKNOWN: PageRow = { path: '', kib: 12 };

/** The weight of a page with what it loads until its load event, in bytes of brotli 11. */
export interface WeighedPage {
  readonly page: string;
  readonly html: number;
  readonly total: number;
  /** The number of requests for the page and its scripts. */
  readonly requests: number;
  readonly budget: PageRow;
}

export const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

/** What is over the budget and its tolerance, in words; undefined if nothing is. */
export const overBudget = ({ total, budget }: WeighedPage): string | undefined =>
  total > budget.kib * KIB * TOLERANCE ? `${kib(total)} KiB of ${budget.kib}` : undefined;

/** All pages, but only a sample of the product pages. */
function pagesToWeigh(facts: SiteFacts): string[] {
  const pages = [...facts.keys()].sort();
  const products = pages.filter((page) => page.startsWith('product/'));
  const step = Math.max(1, Math.ceil(products.length / PRODUCT_SAMPLE));
  const sample = new Set(products.filter((_, index) => index % step === 0));
  return pages.filter((page) => !page.startsWith('product/') || sample.has(page));
}

/** Weighs the pages of a built site. Dynamically imported scripts do not count, because they load only when used. */
export async function weighPages(site: string, facts: SiteFacts): Promise<WeighedPage[]> {
  const weights = new Map<string, Promise<number>>();
  const weigh = async (file: string): Promise<number> =>
    (await promisify(brotliCompress)(await readFile(join(site, file)))).byteLength;
  const bytesOf = (file: string): Promise<number> => {
    const bytes = weights.get(file) ?? weigh(file);
    weights.set(file, bytes);
    return bytes;
  };
  const rows: WeighedPage[] = [];
  for (const page of pagesToWeigh(facts)) {
    const entries = (facts.get(page)?.files ?? []).filter((file) => file.endsWith('.js'));
    const scripts = await withImports(site, entries, 'static');
    const html = await bytesOf(page);
    const bytes = await Promise.all(scripts.map(bytesOf));
    const total = bytes.reduce((sum, ofScript) => sum + ofScript, html);
    rows.push({ page, html, total, requests: scripts.length + 1, budget: rowOf(kindOf(page)) ?? UNKNOWN });
  }
  return rows;
}

export const checkBudgets = async (site: string, facts: SiteFacts): Promise<string[]> =>
  (await weighPages(site, facts)).flatMap((row) => {
    const over = overBudget(row);
    return over === undefined ? [] : [`Over its byte budget: ${row.page}, ${over}`];
  });
