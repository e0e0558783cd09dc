/**
 * `npm run size [dist]`: the byte budget of every page, on a built site. Exits with 1 when one is over by more than a
 * tenth; what a page takes as sent has no tolerance, because the line has none.
 */
import { globSync } from 'node:fs';
import { serveSite } from '#scripts/serve/server.ts';
import { type PageWeight, weighPage } from './page-weight.ts';
import { FIRST_WINDOW, sentBytes } from './sent-bytes.ts';

const KIB = 1024;
const TOLERANCE = 1.1;
/** Product pages weighed; they differ by their texts alone. */
const PRODUCT_SAMPLE = 25;

interface Budget {
  /** KiB of HTML, CSS and JavaScript until the load event of a first visit. */
  readonly total: number;
  /** KiB of the document alone, and requests with its scripts; such a page is also to come in one round trip. */
  readonly first?: { readonly html: number; readonly requests: number };
}

/** By page. The first pattern that fits counts. */
const BUDGETS: readonly (readonly [RegExp, Budget])[] = [
  [/^(?:index|products|product\/.+)\.html$/, { total: 15, first: { html: 11, requests: 3 } }],
  [/^payment\.html$/, { total: 88 }],
  [/^(?:cart|checkout|login|register|account|orders|track-order|api-test)\.html$/, { total: 78 }],
  [/^(?:wishlist|search|device)\.html$/, { total: 15 }],
  [/./, { total: 12 }],
];

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);

/** What of a page is over its budget, in words; `by` is the share of the budget that is still allowed. */
function overBudget({ total, html, assets }: PageWeight, budget: Budget, by: number): string[] {
  const { first } = budget;
  const over: string[] = [];
  if (total > budget.total * KIB * by) over.push(`${kib(total)} KiB of ${budget.total}`);
  if (first && html > first.html * KIB * by)
    over.push(`the document alone ${kib(html)} KiB of ${first.html}`);
  if (first && assets + 1 > first.requests) over.push(`${assets + 1} requests of ${first.requests}`);
  return over;
}

const dist = process.argv[2] ?? (process.env.SITE_DIST || 'dist');
const products = globSync('product/*.html', { cwd: dist }).sort();
const step = Math.max(1, Math.floor(products.length / PRODUCT_SAMPLE));
const pages = [
  ...globSync('*.html', { cwd: dist }).sort(),
  ...products.filter((_, index) => index % step === 0),
];
if (pages.length === 0) {
  console.error(`No pages in ${dist}: run npm run build first.`);
  process.exit(1);
}

const server = await serveSite({ directory: dist, host: '127.0.0.1' });
const rows = [];
for (const page of pages) {
  const budget = BUDGETS.find(([pattern]) => pattern.test(page))?.[1] ?? { total: 0 };
  const weight = weighPage(dist, page);
  const sent = await sentBytes(`${server.url}/${page === 'index.html' ? '' : page}`);
  const over = overBudget(weight, budget, TOLERANCE);
  if (budget.first && sent > FIRST_WINDOW)
    over.push(`${sent} bytes as sent of ${FIRST_WINDOW.toLocaleString('en')}`);
  rows.push({ page, ...weight, sent, budget, over, tight: overBudget(weight, budget, 1) });
}
await server.close();

const heaviestProduct = rows
  .filter(({ page }) => page.startsWith('product/'))
  .sort((a, b) => b.total - a.total)[0];
console.log('KiB of brotli 11    total   html budget  requests  bytes as sent');
for (const row of rows) {
  const isOver = row.over.length > 0;
  if (row.page.startsWith('product/') && row !== heaviestProduct && !isOver) continue;
  const verdict = isOver
    ? `  OVER: ${row.over.join(', ')}`
    : row.tight.length > 0
      ? `  within a tenth: ${row.tight.join(', ')}`
      : '';
  const columns = [
    (isOver ? row.page : row.page.slice(0, 18)).padEnd(18),
    kib(row.total).padStart(6),
    kib(row.html).padStart(6),
    String(row.budget.total).padStart(6),
    String(row.assets + 1).padStart(9),
    String(row.sent).padStart(14),
  ];
  console.log(columns.join(' ') + verdict);
}
const over = rows.filter((row) => row.over.length > 0);
console.log(over.length === 0 ? `${rows.length} pages within budget` : `${over.length} pages over budget`);
process.exitCode = over.length === 0 ? 0 : 1;
