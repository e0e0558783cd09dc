import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';
import { connect } from 'puppeteer-core';
import { pagesOf } from './pages.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 5;
const PERFORMANCE_BAR = 99;

/** Lighthouse's report of a first visit: nothing of earlier visits is stored, such as fonts or a cart. */
async function visit(url: string, port: number): Promise<RunnerResult['lhr']> {
  const browser = await connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const flags: Flags = { logLevel: 'error', output: 'json', onlyCategories: ['performance'] };
  const result = await lighthouse(url, flags, undefined, page);
  await context.close();
  await browser.disconnect();
  if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
  return result.lhr;
}

/** The ids of the audits that cost points. */
const flawsOf = ({ audits }: RunnerResult['lhr']): string =>
  Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'numeric')
    .map(({ id }) => id)
    .join(' ');

/** Measures the content pages with Lighthouse mobile, except the 404 page, on whose status Lighthouse fails. */
export async function measureVitals(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, path, isContent } of pagesOf(shop)) {
    if (!isContent || name === '404') continue;
    const visits = await inTurns(shop.sites, ROUNDS, (site) => visit(site + path, shop.debuggingPort));
    const medians = (value: (report: RunnerResult['lhr']) => number): number[] =>
      visits.map((reports) => median(reports.map(value)));
    const [first] = visits[0] ?? [];
    rows.push(
      compared(
        {
          what: `${name}: Lighthouse performance`,
          unit: '',
          bar: PERFORMANCE_BAR,
          more: true,
          note: first ? flawsOf(first) : '',
        },
        medians(({ categories }) => (categories.performance?.score ?? 0) * 100),
      ),
      compared(
        { what: `${name}: LCP as Lighthouse simulates it`, unit: 'ms' },
        medians(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? Number.NaN),
      ),
    );
  }
  return rows;
}
