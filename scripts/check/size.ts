/** `npm run size [dist]` weighs the pages of a built site. It fails if one is over its budget and the tolerance. */

import {
  KIB,
  kib,
  overBudget,
  TOLERANCE,
  type WeighedPage,
  weighPages,
} from '#scripts/publish/checks/budgets.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { readFacts } from '#scripts/publish/site/page-facts.ts';
import { createSite } from '#scripts/serve/handler.ts';

/** What a page in which most visits begin may weigh besides. Such a page must also come in one round trip. */
const ENTRANCE = { html: 11, requests: 3 };

/** Bytes of the ten TCP segments that a server sends before it waits for an acknowledgement (RFC 6928). */
const FIRST_WINDOW = 10 * 1_460;

/** The status line, and the headers that Node adds to each answer: Date, Connection and Keep-Alive. */
const ADDED_BY_NODE = 'HTTP/1.1 200 OK\r\n\r\n'.length + 84;

const dist = process.argv[2] ?? (process.env.SITE_DIST || 'dist');
const facts = await readFacts(dist, await listFiles(dist).catch(() => []));
if (facts.size === 0) {
  console.error(`No pages in ${dist}: run npm run build first.`);
  process.exit(1);
}

const site = await createSite(dist);

/** The bytes of a document as the shop's own server sends it, headers included. */
async function sentBytes(page: string): Promise<number> {
  const answer = await site.request(`/${page}`, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return ADDED_BY_NODE + headers.length + (await answer.arrayBuffer()).byteLength;
}

/** What is over in words. Requests and bytes as sent have no tolerance. */
function allOver(row: WeighedPage, sent: number): string[] {
  const over = [overBudget(row) ?? []].flat();
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
console.log('KiB of brotli 11    total   html budget  requests  bytes as sent');
for (const row of rows) {
  const sent = await sentBytes(row.page);
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
  ];
  console.log(columns.join(' ') + (over.length > 0 ? `  OVER: ${row.page}, ${over.join(', ')}` : ''));
}
console.log(heavy === 0 ? `${rows.length} pages within budget` : `${heavy} pages over budget`);
process.exitCode = heavy === 0 ? 0 : 1;
