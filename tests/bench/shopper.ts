import type { Page } from 'playwright';
import { goBack } from './arrival.ts';
import type { BenchPage } from './pages.ts';
import { SLOW_PHONE_NOTE } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { openSlowShop, type Seen, type SlowShop, type Step, type Visit, visit } from './slow-visit.ts';
import { compared, type Row } from './table.ts';
import type { Traffic } from './traffic.ts';
import { inTurns, median, p75 } from './turns.ts';

/** With three rounds, a comparison with another commit takes 25 minutes. */
const ROUNDS = 3;
/** How long the shopper looks at the target before the tap. */
const AIM_MS = 1_500;
const CODE_RATIO = 0.75;

const tap =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    const target = page.locator(selector).locator('visible=true').first();
    await target.scrollIntoViewIfNeeded();
    await page.waitForTimeout(AIM_MS);
    await target.tap();
  };

const start: BenchPage = { name: 'home, from its start', path: '/', isSignedIn: true };
const steps: readonly Step[] = [
  { name: 'category', go: tap('.categories a'), isContent: true },
  { name: 'card', go: tap('.card-name a'), isContent: true },
  { name: 'related product', go: tap('[aria-labelledby=related] a'), isContent: true },
  { name: 'Back to the product', go: goBack, isShort: true },
  { name: 'Back to the category', go: goBack, isShort: true },
  { name: 'page 2', go: tap('.pagination [data-step=next]'), isContent: true },
  { name: 'product', go: tap('.card:has(.card-add) .card-name a'), isContent: true },
  { name: 'cart', go: tap('.buy-add') },
  { name: 'checkout', go: tap('main a[href="/checkout"]') },
];

interface Way extends Visit {
  readonly name: string;
  /** The bar for content pages, in ms. */
  readonly bar?: number | undefined;
}

const WHOLE: Way = { name: 'visit', start, steps };
/** A visit with a browser that lacks a feature. */
const without = (part: string, remove: () => void, bar?: number): Way => ({
  ...WHOLE,
  name: `without ${part}`,
  remove,
  bar,
});
const WITHOUT: readonly Way[] = [
  without('speculation rules', () => Object.assign(HTMLScriptElement, { supports: () => false }), 450),
  without('dictionary', () => {
    const { supports } = DOMTokenList.prototype;
    DOMTokenList.prototype.supports = function (token) {
      return token !== 'compression-dictionary' && supports.call(this, token);
    };
  }),
  without('view transitions', () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@view-transition { navigation: none }');
    document.adoptedStyleSheets.push(sheet);
  }),
  without('service worker', () => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')),
];

const ORDERED = { isSignedIn: true, hasOrder: true } as const;
const ISLANDS: readonly (BenchPage & { readonly ratioBar?: number })[] = [
  { name: 'cart', path: '/cart', ratioBar: 1 },
  { name: 'login', path: '/login' },
  { name: 'checkout', path: '/checkout', isSignedIn: true },
  // The order's id is added to the end of the address.
  { name: 'orders', path: '/orders#', ...ORDERED },
  { name: 'payment', path: '/payment?orderId=', ...ORDERED },
];

const msOf = (seen: readonly Seen[]): number[] => seen.map(({ ms }) => ms);
/** The KiB of a visit, on average. */
const kibOf = (seen: readonly Seen[], kind: keyof Traffic): number => {
  const visits = seen.filter(({ name }) => name === start.name).length;
  return seen.reduce((sum, { traffic }) => sum + traffic[kind], 0) / visits / 1024;
};

function describe(seen: readonly Seen[]): string {
  const bytes = seen.map(({ traffic }) => Object.values(traffic).reduce((sum, ofKind) => sum + ofKind));
  const ways = Object.entries(Object.groupBy(seen, ({ from }) => from));
  const came = ways.map(([from, { length } = []]) => `${from} ${length}`).join(', ');
  return `p50 ${Math.round(median(msOf(seen)))} ms, ${median(bytes)} bytes, ${came}`;
}

/** The rows of the pages that were seen at each site. */
function rowsOf({ name, bar }: Way, sites: readonly (readonly Seen[])[]): Row[] {
  const taps = (what: string, isWanted: (seen: Seen) => boolean, limit?: number): Row => {
    const seen = sites.map((all) => all.filter(isWanted));
    const note = seen.map(describe).join('; other: ');
    return compared(
      { what: `${name}, ${what}: LCP, p75`, unit: 'ms', bar: limit, note },
      seen.map(msOf).map(p75),
    );
  };
  const kib = (kind: keyof Traffic): number[] => sites.map((seen) => kibOf(seen, kind));
  const besides = (['pictures', 'rest', 'heads'] as const).map(
    (kind) => `${kind} ${kib(kind).map(Math.round).join(', other ')}`,
  );
  const what = `${name}: HTML, CSS, JavaScript, dictionary`;
  const note = `besides: ${besides.join('; ')}`;
  return [
    ...[start, ...steps].map((step) => taps(step.name, (seen) => seen.name === step.name)),
    taps('all content pages', ({ isContent }) => isContent === true, bar),
    compared({ what, unit: 'KiB', note, ratioBar: sites.length > 1 ? CODE_RATIO : undefined }, kib('code')),
  ];
}

async function islandRow(
  shop: SlowShop,
  { ratioBar, ...page }: (typeof ISLANDS)[number],
  rounds: number,
): Promise<Row> {
  const visits = await inTurns(shop.sites, rounds, (site) => visit(shop, site, { start: page, steps: [] }));
  const what = `${page.name}, two lines in the cart: LCP of a first visit`;
  const seen = visits.map((each) => msOf(each.flat()));
  return compared({ what, unit: 'ms', ratioBar, note: SLOW_PHONE_NOTE }, seen.map(median));
}

/**
 * Measures the time from each tap of a visit to the largest paint, on a slow line: with everything that speeds pages
 * up, and without each of these features.
 */
export async function measureShopper(bench: BenchShop, rounds = ROUNDS): Promise<Row[]> {
  const shop = await openSlowShop(bench);
  try {
    const [here] = shop.sites;
    const turns = [
      ...shop.sites.map((site) => ({ site, way: WHOLE })),
      ...WITHOUT.map((way) => ({ site: here, way })),
    ];
    const visits = await inTurns(turns, rounds, ({ site, way }) => visit(shop, site, way));
    const seen = visits.map((each) => each.flat());
    const rows = rowsOf(WHOLE, seen.splice(0, shop.sites.length));
    for (const [index, way] of WITHOUT.entries()) rows.push(...rowsOf(way, seen.slice(index, index + 1)));
    for (const page of ISLANDS) rows.push(await islandRow(shop, page, rounds));
    return rows;
  } finally {
    await shop.close();
  }
}
