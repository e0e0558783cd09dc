/** `npm run size [dist]`: the byte budget of every page, on a built site. Exits with 1 when one is over. */
import { globSync } from 'node:fs';
import { weighPage } from './page-weight.ts';

const KIB = 1024;
/** Product pages weighed; they differ by their texts alone. */
const PRODUCT_SAMPLE = 25;

/** KiB of HTML, CSS and JavaScript until the load event, by page. The first pattern that fits counts. */
const BUDGETS: readonly (readonly [RegExp, number])[] = [
  [/^(?:index|products|product\/.+)\.html$/, 14],
  [/^payment\.html$/, 85],
  [/^(?:cart|checkout|login|register|account|orders|track-order|api-test)\.html$/, 75],
  [/^(?:wishlist|search|device)\.html$/, 14],
  [/./, 10],
];

const dist = process.argv[2] ?? (process.env.SITE_DIST || 'dist');
const products = globSync('product/*.html', { cwd: dist }).sort();
const step = Math.max(1, Math.floor(products.length / PRODUCT_SAMPLE));
const pages = [
  ...globSync('*.html', { cwd: dist }).sort(),
  ...products.filter((_, index) => index % step === 0),
];

const rows = pages.map((page) => {
  const { total, html } = weighPage(dist, page);
  const budget = BUDGETS.find(([pattern]) => pattern.test(page))?.[1] ?? 0;
  return { page, total, html, budget, over: total > budget * KIB };
});

const kib = (bytes: number): string => (bytes / KIB).toFixed(1).padStart(6);
const heaviestProduct = rows
  .filter(({ page }) => page.startsWith('product/'))
  .sort((a, b) => b.total - a.total)[0];

if (rows.length === 0) {
  console.error(`No pages in ${dist}: run npm run build first.`);
  process.exit(1);
}
console.log('KiB of brotli 11   total   html  budget');
for (const row of rows) {
  if (row.page.startsWith('product/') && row !== heaviestProduct && !row.over) continue;
  const verdict = row.over ? '  OVER' : '';
  console.log(
    `${(row.over ? row.page : row.page.slice(0, 18)).padEnd(18)}${kib(row.total)} ${kib(row.html)} ${String(row.budget).padStart(7)}${verdict}`,
  );
}
const over = rows.filter((row) => row.over);
console.log(over.length === 0 ? `${rows.length} pages within budget` : `${over.length} pages over budget`);
process.exitCode = over.length === 0 ? 0 : 1;
