import { fetchedBy } from './fetched.ts';
import { openPhone } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns } from './turns.ts';

const BAR_KIB = 140;
/** How long the visitor looks at each page. */
const LOOK_MS = 3_000;

/** The KiB of HTML, CSS and JavaScript that each page of one visit fetches, with the browser's cache. */
async function visit(
  { browser, productPath, otherProductPath }: BenchShop,
  site: string,
): Promise<{ kib: number; ofPages: string }> {
  const { context, page } = await openPhone(browser);
  const pages: number[] = [];
  for (const path of ['/', '/products', productPath, otherProductPath, '/cart']) {
    await page.goto(site + path);
    await page.waitForTimeout(LOOK_MS);
    pages.push((await fetchedBy(page)).now.kib);
  }
  await context.close();
  return {
    kib: pages.reduce((sum, kib) => sum + kib, 0),
    ofPages: pages.map((kib) => kib.toFixed(1)).join(' + '),
  };
}

/** Measures what the five pages of a visit fetch together. */
export async function measureVisit(shop: BenchShop): Promise<Row[]> {
  const visits = (await inTurns(shop.sites, 1, (site) => visit(shop, site))).flat();
  const what = 'home, listing, product, another product, cart: until 3 s after each load';
  const note = visits.map(({ ofPages }) => ofPages).join('; other: ');
  return [
    compared(
      { what, unit: 'KiB', bar: BAR_KIB, note },
      visits.map(({ kib }) => kib),
    ),
  ];
}
