/** `npm run size [dist]` weighs the pages of a built site. It fails if one is over its budget and the tolerance. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PageRow, rowOf } from '#page-table.ts';
import { listFiles, withImports } from '#scripts/publish/site/built-pages.ts';
import { kindOf } from '#scripts/publish/site/content-security-policy.ts';
import { readFacts, type SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { dictionaryOf } from '#scripts/serve/dictionary.ts';
import { createSite } from '#scripts/serve/server.ts';

const KIB = 1024;
const TOLERANCE = 1.1;

/** Stricter limits for pages where most visits begin. They must also fit into one round trip. */
const ENTRANCE = { html: 11, requests: 3 };

/** The most scripts that an island waits for. Without scripts/build/shared-files.ts it would be up to 45. */
const ISLAND_SCRIPTS = 8;

/** Bytes of the ten TCP segments that a server sends before it waits for an acknowledgement (RFC 6928). */
const FIRST_WINDOW = 10 * 1_460;

/** The status line, and the headers that Node adds to each answer: Date, Connection and Keep-Alive. */
const ADDED_BY_NODE = 'HTTP/1.1 200 OK\r\n\r\n'.length + 84;

/** The most product pages that are weighed, because only their texts differ. */
const PRODUCT_SAMPLE = 25;

const UNKNOWN: PageRow = { path: '', kib: 12 };

/** Bytes, compressed with brotli 11, of a page and what it loads until its load event. */
interface WeighedPage {
  readonly page: string;
  readonly html: number;
  readonly total: number;
  readonly requests: number;
  /** The document with its headers, as the shop's own server sends it. */
  readonly sent: number;
  /** The document for a browser that holds the dictionary. */
  readonly later: number;
  readonly budget: PageRow;
}

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

const isProduct = (page: string): boolean => page.startsWith('product/');

function pagesToWeigh(facts: SiteFacts): string[] {
  const pages = [...facts.keys()].sort();
  const step = Math.max(1, Math.ceil(pages.filter(isProduct).length / PRODUCT_SAMPLE));
  const sample = new Set(pages.filter(isProduct).filter((_, index) => index % step === 0));
  return pages.filter((page) => !isProduct(page) || sample.has(page));
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
const LATER = { 'Accept-Encoding': 'br, dcz', 'Available-Dictionary': available };

/** Requests a file from the shop's own server, by default as a browser does on its first visit. */
async function sizeOf(file: string, headers: HeadersInit = { 'Accept-Encoding': 'gzip, deflate, br' }) {
  const answer = await site.request(file, { headers });
  const sent = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const body = (await answer.arrayBuffer()).byteLength;
  return { body, sent: ADDED_BY_NODE + sent.length + body };
}

/** Weighs a page. Dynamically imported scripts do not count, because they load only on use. */
async function weigh(page: string): Promise<WeighedPage> {
  const entries = (facts.get(page)?.files ?? []).filter((file) => file.endsWith('.js'));
  const scripts = await withImports(dist, entries, 'static');
  const bytes = await Promise.all(scripts.map(async (script) => (await sizeOf(script)).body));
  const { body: html, sent } = await sizeOf(`/${page}`);
  return {
    page,
    html,
    total: bytes.reduce((sum, ofScript) => sum + ofScript, html),
    requests: scripts.length + 1,
    sent,
    later: (await sizeOf(`/${page}`, LATER)).body,
    budget: rowOf(kindOf(page)) ?? UNKNOWN,
  };
}

/** Returns what exceeds a limit. Requests and sent bytes have no tolerance. */
function allOver({ html, total, requests, sent, budget }: WeighedPage): string[] {
  const over: string[] = [];
  if (total > budget.kib * KIB * TOLERANCE) over.push(`${kib(total)} KiB of ${budget.kib}`);
  const scripts = requests - 1;
  if (budget.isIsland && scripts > ISLAND_SCRIPTS) over.push(`${scripts} scripts of ${ISLAND_SCRIPTS}`);
  if (!budget.isEntrance) return over;
  if (html > ENTRANCE.html * KIB * TOLERANCE)
    over.push(`the document alone ${kib(html)} KiB of ${ENTRANCE.html}`);
  if (requests > ENTRANCE.requests) over.push(`${requests} requests of ${ENTRANCE.requests}`);
  if (sent > FIRST_WINDOW) over.push(`${sent} bytes as sent of ${FIRST_WINDOW}`);
  return over;
}

const rows: WeighedPage[] = [];
for (const page of pagesToWeigh(facts)) rows.push(await weigh(page));
const heaviest = Math.max(...rows.map(({ page, total }) => (isProduct(page) ? total : 0)));
const heavy = rows.filter((row) => allOver(row).length > 0);
const line = (...[first = '', ...columns]: string[]): string =>
  [first.slice(0, 18).padEnd(18), ...columns.map((column) => column.padStart(10))].join('');
console.log(line('KiB of brotli 11', 'total', 'html', 'budget', 'requests', 'sent B', 'later B'));
for (const row of rows) {
  if (isProduct(row.page) && row.total < heaviest && !heavy.includes(row)) continue;
  const counts = [row.budget.kib, row.requests, row.sent, row.later].map(String);
  const over = heavy.includes(row) ? `  OVER: ${row.page}, ${allOver(row).join(', ')}` : '';
  console.log(line(row.page, kib(row.total), kib(row.html), ...counts) + over);
}
console.log(heavy.length === 0 ? `${rows.length} pages within budget` : `${heavy.length} pages over budget`);
process.exitCode = heavy.length === 0 ? 0 : 1;
