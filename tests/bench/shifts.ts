import { type BenchPage, pagesOf, prepare } from './pages.ts';
import { openPhone, slowLine } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns } from './turns.ts';

/** How long a page is watched after its load. */
const AFTER_LOAD_MS = 2_500;

/** The sum of the layout shifts of a first visit on a slow line. */
async function shiftsOf(shop: BenchShop, site: string, benchPage: BenchPage): Promise<number> {
  const phone = await openPhone(shop.browser);
  const { context, page } = phone;
  await slowLine(phone);
  await page.goto(await prepare(shop, site, benchPage, context));
  await page.waitForTimeout(AFTER_LOAD_MS);
  const shifts = await page.evaluate(() => {
    // `hadRecentInput` is ignored: setting the size of an emulated phone counts as input.
    let sum = 0;
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    for (const entry of observer.takeRecords()) sum += (entry as PerformanceEntry & { value: number }).value;
    return sum;
  });
  await context.close();
  return shifts;
}

/** Measures the layout shifts of every page, including one that scripts draw when it is opened. */
export async function measureShifts(shop: BenchShop): Promise<Row[]> {
  const newProduct = { name: 'product newer than the build', path: '/product/unknown' };
  const rows: Row[] = [];
  for (const page of [...pagesOf(shop), newProduct]) {
    const shifts = await inTurns(shop.sites, 1, (site) => shiftsOf(shop, site, page));
    rows.push(compared({ what: `${page.name}: layout shift`, unit: '', bar: 0 }, shifts.flat()));
  }
  return rows;
}
