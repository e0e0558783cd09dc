import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type PageRow, rowOf } from '#page-table.ts';
import { withImports } from '#scripts/publish/site/built-pages.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { kindOf } from '#scripts/publish/site/page-kinds.ts';
import { createSite } from '#scripts/serve/handler.ts';

/** Bytes of the ten TCP segments that a server sends before it waits for an acknowledgement (RFC 6928). */
const FIRST_WINDOW = 10 * 1_460;

/** The status line, and the headers that Node adds to each answer: Date, Connection and Keep-Alive. */
const ADDED_BY_NODE = 'HTTP/1.1 200 OK\r\n\r\n'.length + 84;

const KIB = 1024;
const TOLERANCE = 1.1;
/** At most so many product pages are weighed, because they differ only by their texts. */
const PRODUCT_SAMPLE = 25;

/** What a page in which most visits begin may weigh besides. Such a page must also come in one round trip. */
const ENTRANCE = { html: 11, requests: 3 };
/** The budget of a page that is not in the table. */
const UNKNOWN: PageRow = { path: '', kib: 12 };

/** The weight of a page with what it loads until its load event, in bytes of brotli 11. */
export interface WeighedPage {
  readonly page: string;
  readonly html: number;
  readonly total: number;
  /** The number of requests for the page and its scripts. */
  readonly requests: number;
  /** The bytes of the document as the shop's own server sends it, headers included. */
  readonly sent: number;
  readonly budget: PageRow;
  /** What is over the budget and its tolerance, in words. */
  readonly over: readonly string[];
}

type Weight = Pick<WeighedPage, 'html' | 'total' | 'requests' | 'sent'>;

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

/** Requests and bytes as sent have no tolerance. */
function overBudget({ total, html, requests, sent }: Weight, budget: PageRow): string[] {
  const over: string[] = [];
  if (total > budget.kib * KIB * TOLERANCE) over.push(`${kib(total)} KiB of ${budget.kib}`);
  if (!budget.isEntrance) return over;
  if (html > ENTRANCE.html * KIB * TOLERANCE)
    over.push(`the document alone ${kib(html)} KiB of ${ENTRANCE.html}`);
  if (requests > ENTRANCE.requests) over.push(`${requests} requests of ${ENTRANCE.requests}`);
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
  const server = await createSite(site);
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
    const answer = await server.request(`/${page}`, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const body = await answer.arrayBuffer();
    const weight = {
      html,
      total: bytes.reduce((sum, ofScript) => sum + ofScript, html),
      requests: scripts.length + 1,
      sent: ADDED_BY_NODE + headers.length + body.byteLength,
    };
    const budget = rowOf(kindOf(page)) ?? UNKNOWN;
    rows.push({ page, ...weight, budget, over: overBudget(weight, budget) });
  }
  return rows;
}

export const checkBudgets = async (site: string, facts: SiteFacts): Promise<string[]> =>
  (await weighPages(site, facts)).flatMap(({ page, over }) =>
    over.length > 0 ? [`Over its byte budget: ${page}, ${over.join(', ')}`] : [],
  );
