/** `npm run size [dist]` weighs the pages of a built site. It fails if one is over its budget and the tolerance. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type PageRow, rowOf } from '#page-table.ts';
import { listFiles, withImports } from '#scripts/publish/site/built-pages.ts';
import { kindOf } from '#scripts/publish/site/content-security-policy.ts';
import { readFacts, type SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { dictionaryOf } from '#scripts/serve/dictionary.ts';
import { createSite } from '#scripts/serve/handler.ts';

const KIB = 1024;
const TOLERANCE = 1.1;

/** Further limits of a page where most visits begin. Such a page must also fit into one round trip. */
const ENTRANCE = { html: 11, requests: 3 };

/** The most scripts that an island waits for. Without scripts/build/shared-files.ts it would be up to 45. */
const ISLAND_SCRIPTS = 8;

/** Bytes of the ten TCP segments that a server sends before it waits for an acknowledgement (RFC 6928). */
const FIRST_WINDOW = 10 * 1_460;

/** The status line, and the headers that Node adds to each answer: Date, Connection and Keep-Alive. */
const ADDED_BY_NODE = 'HTTP/1.1 200 OK\r\n\r\n'.length + 84;

/** How many product pages are weighed at most, because they differ only by their texts. */
const PRODUCT_SAMPLE = 25;

const UNKNOWN: PageRow = { path: '', kib: 12 };

/** Bytes, compressed with brotli 11, of a page and what it loads until its load event. */
interface WeighedPage {
  readonly page: string;
  readonly html: number;
  readonly total: number;
  readonly requests: number;
  readonly budget: PageRow;
}

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

/** Returns what exceeds the budget and its tolerance; undefined if nothing does. */
const overBudget = ({ total, budget }: WeighedPage): string | undefined =>
  total > budget.kib * KIB * TOLERANCE ? `${kib(total)} KiB of ${budget.kib}` : undefined;

function pagesToWeigh(facts: SiteFacts): string[] {
  const pages = [...facts.keys()].sort();
  const products = pages.filter((page) => page.startsWith('product/'));
  const step = Math.max(1, Math.ceil(products.length / PRODUCT_SAMPLE));
  const sample = new Set(products.filter((_, index) => index % step === 0));
  return pages.filter((page) => !page.startsWith('product/') || sample.has(page));
}

/** Weighs the pages of a built site. Dynamically imported scripts do not count, because they load only on use. */
async function weighPages(site: string, facts: SiteFacts): Promise<WeighedPage[]> {
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

const dist = process.argv[2] ?? (process.env.SITE_DIST || 'dist');
const facts = await readFacts(dist, await listFiles(dist).catch(() => []));
if (facts.size === 0) {
  console.error(`No pages in ${dist}: run npm run build first.`);
  process.exit(1);
}

const site = await createSite(dist);

/** The dictionary of the site's later pages. */
const { dictionary = '' }: { dictionary?: string } = await (await site.request('/build-info.json')).json();
const available = dictionary && dictionaryOf(await readFile(join(dist, dictionary))).available;

/** Returns the bytes of a document as the shop's own server sends it, with and without headers. */
async function sentBytes(
  page: string,
  headers: Record<string, string>,
): Promise<[whole: number, body: number]> {
  const answer = await site.request(`/${page}`, { headers });
  const sent = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const body = (await answer.arrayBuffer()).byteLength;
  return [ADDED_BY_NODE + sent.length + body, body];
}

/** Returns what exceeds a limit. Requests and sent bytes have no tolerance. */
function allOver(row: WeighedPage, sent: number): string[] {
  const over = [overBudget(row) ?? []].flat();
  const scripts = row.requests - 1;
  if (row.budget.isIsland && scripts > ISLAND_SCRIPTS) over.push(`${scripts} scripts of ${ISLAND_SCRIPTS}`);
  if (!row.budget.isEntrance) return over;
  if (row.html > ENTRANCE.html * KIB * TOLERANCE)
    over.push(`the document alone ${kib(row.html)} KiB of ${ENTRANCE.html}`);
  if (row.requests > ENTRANCE.requests) over.push(`${row.requests} requests of ${ENTRANCE.requests}`);
  if (sent > FIRST_WINDOW) over.push(`${sent} bytes as sent of ${FIRST_WINDOW}`);
  return over;
}

const isProduct = ({ page }: WeighedPage): boolean => page.startsWith('product/');
const rows = await weighPages(dist, facts);
const heaviestProduct = rows.filter(isProduct).sort((a, b) => b.total - a.total)[0];
let heavy = 0;
console.log('KiB of brotli 11    total   html budget  requests  bytes as sent  as later page');
for (const row of rows) {
  const [sent] = await sentBytes(row.page, { 'Accept-Encoding': 'gzip, deflate, br' });
  const [, later] = await sentBytes(row.page, {
    'Accept-Encoding': 'br, dcz',
    'Available-Dictionary': available,
  });
  const over = allOver(row, sent);
  if (over.length > 0) heavy += 1;
  if (isProduct(row) && row !== heaviestProduct && over.length === 0) continue;
  const columns = [
    row.page.slice(0, 18).padEnd(18),
    kib(row.total).padStart(6),
    kib(row.html).padStart(6),
    String(row.budget.kib).padStart(6),
    String(row.requests).padStart(9),
    String(sent).padStart(14),
    String(later).padStart(14),
  ];
  console.log(columns.join(' ') + (over.length > 0 ? `  OVER: ${row.page}, ${over.join(', ')}` : ''));
}
console.log(heavy === 0 ? `${rows.length} pages within budget` : `${heavy} pages over budget`);
process.exitCode = heavy === 0 ? 0 : 1;
