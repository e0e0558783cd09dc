import { FIRST_WINDOW, sentBytes } from '#scripts/publish/checks/sent-bytes.ts';
import { type Fetched, fetchedBy } from './fetched.ts';
import { type BenchPage, pagesOf, prepare } from './pages.ts';
import { openPhone } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns } from './turns.ts';

/** How long after the load the bars count what a page fetches. No event says when a page has fetched all. */
const AFTER_LOAD_MS = 2_500;
const IDLE_BAR_KIB = 30;
const DOCUMENT_BAR_KIB = 11;
const REQUESTS_BAR = 3;
const FURTHER_BAR_KIB = 11;

interface Weight {
  /** Bytes of the document as sent, headers included. */
  readonly sent: number;
  /** KiB of the document's body. */
  readonly document: number;
  readonly load: Fetched;
  /** KiB until 2.5 s after load. */
  readonly idle: number;
}

/** KiB that a page fetches until load when another content page was opened before it. */
async function weighFurther({ browser }: BenchShop, site: string, { path }: BenchPage): Promise<number> {
  const { context, page } = await openPhone(browser);
  await page.goto(site + (path === '/' ? '/products' : '/'));
  await page.goto(site + path);
  const { load } = await fetchedBy(page);
  await context.close();
  return load.kib;
}

async function weighFirst(shop: BenchShop, site: string, benchPage: BenchPage): Promise<Weight> {
  const { context, page } = await openPhone(shop.browser);
  const address = await prepare(shop, site, benchPage, context);
  const response = await page.goto(address);
  await page.waitForTimeout(AFTER_LOAD_MS);
  const { load, now } = await fetchedBy(page);
  const length = Number(response?.headers()['content-length']);
  await context.close();
  return { sent: await sentBytes(address), document: length / 1024, load, idle: now.kib };
}

async function rowsOf(shop: BenchShop, page: BenchPage): Promise<Row[]> {
  const { name, load, isContent, isEntrance } = page;
  const weights = (await inTurns(shop.sites, 1, (site) => weighFirst(shop, site, page))).flat();
  const row = (what: string, unit: string, bar: number | undefined, value: (weight: Weight) => number): Row =>
    compared({ what: `${name}: ${what}`, unit, bar }, weights.map(value));
  const rows: Row[] = [];
  if (isEntrance) {
    rows.push(row('document as sent, with headers', 'bytes', FIRST_WINDOW, ({ sent }) => sent));
    rows.push(row('document alone', 'KiB', DOCUMENT_BAR_KIB, (weight) => weight.document));
  }
  rows.push(row('first visit, until load', 'KiB', load, (weight) => weight.load.kib));
  const requestsBar = isEntrance && REQUESTS_BAR;
  rows.push(row('first visit, until load', 'requests', requestsBar, (weight) => weight.load.requests));
  const idleBar = isContent && IDLE_BAR_KIB;
  rows.push(row('first visit, until 2.5 s after load', 'KiB', idleBar, ({ idle }) => idle));
  if (isContent) {
    const further = (await inTurns(shop.sites, 1, (site) => weighFurther(shop, site, page))).flat();
    const bar = load && FURTHER_BAR_KIB;
    rows.push(compared({ what: `${name}: further page, until load`, unit: 'KiB', bar }, further));
  }
  return rows;
}

/** Measures bytes and requests of every page, on a first visit and as a further page. */
export async function measureBytes(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const page of pagesOf(shop)) rows.push(...(await rowsOf(shop, page)));
  return rows;
}
