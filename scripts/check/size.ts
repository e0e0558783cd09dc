/** `npm run size [dist]` weighs the pages of a built site. It fails if one is over its budget and the tolerance. */

import { type WeighedPage, weighPages } from '#scripts/publish/checks/budgets.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { readFacts } from '#scripts/publish/site/page-facts.ts';

const dist = process.argv[2] ?? (process.env.SITE_DIST || 'dist');
const facts = await readFacts(dist, await listFiles(dist).catch(() => []));
if (facts.size === 0) {
  console.error(`No pages in ${dist}: run npm run build first.`);
  process.exit(1);
}

const verdictOf = ({ over }: WeighedPage): string => (over.length > 0 ? `  OVER: ${over.join(', ')}` : '');
const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

const rows = await weighPages(dist, facts);
const isProduct = ({ page }: WeighedPage): boolean => page.startsWith('product/');
const heaviestProduct = rows.filter(isProduct).sort((a, b) => b.total - a.total)[0];
const over = rows.filter((row) => row.over.length > 0);
console.log('KiB of brotli 11    total   html budget  requests  bytes as sent');
for (const row of rows) {
  if (isProduct(row) && row !== heaviestProduct && !over.includes(row)) continue;
  const columns = [
    (over.includes(row) ? row.page : row.page.slice(0, 18)).padEnd(18),
    kib(row.total).padStart(6),
    kib(row.html).padStart(6),
    String(row.budget.kib).padStart(6),
    String(row.requests).padStart(9),
    String(row.sent).padStart(14),
  ];
  console.log(columns.join(' ') + verdictOf(row));
}
console.log(over.length === 0 ? `${rows.length} pages within budget` : `${over.length} pages over budget`);
process.exitCode = over.length === 0 ? 0 : 1;
