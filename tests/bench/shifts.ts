import { type BenchPage, pagesOf, prepare } from './pages.ts';
import { openPhone, slowLine } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns } from './turns.ts';

/** By then everything has come after the load. */
const AFTER_LOAD_MS = 2_500;

/** Layout shifts of a first visit on a slow line, added up. */
async function shiftsOf(shop: BenchShop, site: string, benchPage: BenchPage): Promise<number> {
  const phone = await openPhone(shop.browser);
  const { context, page } = phone;
  await slowLine(phone);
  await page.goto(await prepare(shop, site, benchPage, context));
  await page.waitForTimeout(AFTER_LOAD_MS);
  const shifts = await page.evaluate(() => {
    // `hadRecentInput` is true without any input: setting the size of an emulated phone counts as one.
    let sum = 0;
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    for (const entry of observer.takeRecords()) sum += (entry as PerformanceEntry & { value: number }).value;
    return sum;
  });
  await context.close();
  return shifts;
}

/** Nothing moves on any page, those included that are drawn when they are opened. */
export async function measureShifts(shop: BenchShop): Promise<Row[]> {
  const newProduct = { name: 'product newer than the build', path: '/product/unknown' };
  const rows: Row[] = [];
  for (const page of [...pagesOf(shop), newProduct]) {
    const shifts = await inTurns(shop.sites, 1, (site) => shiftsOf(shop, site, page));
    rows.push(compared({ what: `${page.name}: layout shift`, unit: '', bar: 0 }, shifts.flat()));
  }
  return rows;
}
