import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { withImports } from '#scripts/publish/site/script-imports.ts';
import { FIRST_WINDOW, sentBytes } from '#scripts/serve/sent-bytes.ts';
import { serveSite } from '#scripts/serve/server.ts';

const KIB = 1024;
const TOLERANCE = 1.1;
/** At most so many product pages are weighed, because they differ only by their texts. */
const PRODUCT_SAMPLE = 25;

interface Budget {
  /** KiB of HTML, CSS and JavaScript until the load event of a first visit. */
  readonly total: number;
  /** KiB of the document alone, and requests with its scripts. Such a page must also come in one round trip. */
  readonly first?: { readonly html: number; readonly requests: number };
}

/** The budgets by page. The first pattern that matches counts. */
const BUDGETS: readonly (readonly [RegExp, Budget])[] = [
  [/^(?:index|products|product\/.+)\.html$/, { total: 15, first: { html: 11, requests: 3 } }],
  [/^payment\.html$/, { total: 88 }],
  [/^(?:cart|checkout|login|register|account|orders|track-order|api-test)\.html$/, { total: 78 }],
  // Scripts draw its cards, and it has the wish list's code of the product page.
  [/^wishlist\.html$/, { total: 17 }],
  [/^(?:search|device)\.html$/, { total: 15 }],
  [/./, { total: 12 }],
];

/** The weight of a page with what it loads until its load event, in bytes of brotli 11. */
export interface WeighedPage {
  readonly page: string;
  readonly html: number;
  readonly total: number;
  /** The number of requests for the page and its scripts. */
  readonly requests: number;
  /** The bytes of the document as the shop's own server sends it, headers included. */
  readonly sent: number;
  readonly budget: Budget;
  /** What is over the budget and its tolerance, in words. */
  readonly over: readonly string[];
  /** What is over the budget without the tolerance, in words. */
  readonly tight: readonly string[];
}

type Weight = Pick<WeighedPage, 'html' | 'total' | 'requests' | 'sent'>;

const compress = promisify(brotliCompress);

const brotliBytes = async (file: string): Promise<number> =>
  (await compress(await readFile(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })).byteLength;

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

/** `tolerance` multiplies the KiB budgets. Requests and bytes as sent have no tolerance. */
function overBudget({ total, html, requests, sent }: Weight, budget: Budget, tolerance: number): string[] {
  const { first } = budget;
  const over: string[] = [];
  if (total > budget.total * KIB * tolerance) over.push(`${kib(total)} KiB of ${budget.total}`);
  if (!first) return over;
  if (html > first.html * KIB * tolerance) over.push(`the document alone ${kib(html)} KiB of ${first.html}`);
  if (requests > first.requests) over.push(`${requests} requests of ${first.requests}`);
  if (sent > FIRST_WINDOW) over.push(`${sent} bytes as sent of ${FIRST_WINDOW.toLocaleString('en')}`);
  return over;
}

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
  const cache = new Map<string, Promise<number>>();
  const bytesOf = (file: string): Promise<number> => {
    const bytes = cache.get(file) ?? brotliBytes(join(site, file));
    cache.set(file, bytes);
    return bytes;
  };
  const weigh = async (page: string, address: string): Promise<WeighedPage> => {
    const entries = (facts.get(page)?.files ?? []).filter((file) => file.endsWith('.js'));
    const scripts = await withImports(site, entries, 'static');
    const html = await bytesOf(page);
    const bytes = await Promise.all(scripts.map(bytesOf));
    const weight = {
      html,
      total: bytes.reduce((sum, ofScript) => sum + ofScript, html),
      requests: scripts.length + 1,
      sent: await sentBytes(address),
    };
    const budget = BUDGETS.find(([pattern]) => pattern.test(page))?.[1] ?? { total: 0 };
    const over = overBudget(weight, budget, TOLERANCE);
    return { page, ...weight, budget, over, tight: overBudget(weight, budget, 1) };
  };
  const server = await serveSite({ directory: site, host: '127.0.0.1' });
  try {
    const rows: WeighedPage[] = [];
    for (const page of pagesToWeigh(facts))
      rows.push(await weigh(page, `${server.url}/${page === 'index.html' ? '' : page}`));
    return rows;
  } finally {
    await server.close();
  }
}

export const checkBudgets = async (site: string, facts: SiteFacts): Promise<string[]> =>
  (await weighPages(site, facts)).flatMap(({ page, over }) =>
    over.length > 0 ? [`Over its byte budget: ${page}, ${over.join(', ')}`] : [],
  );
