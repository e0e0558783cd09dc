import type { Page } from 'playwright';
import { isAnswered, KEY, placeWhenPainted, readNote, watchFirstTap } from './first-tap.ts';
import { openSlowPhone, SLOW_PHONE_NOTE } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 7;
const BAR_MS = 100;
/** A tap that is not answered within this time counts as lost. */
const TIMEOUT_MS = 20_000;
/** The longest time that scripts are held back. It is longer than a page takes to its first paint. */
const HOLD_MS = 5_000;

const NEVER = Number.POSITIVE_INFINITY;

interface Target {
  readonly name: string;
  readonly path: (shop: BenchShop) => string;
  /** The button's accessible name. */
  readonly button: string;
}

const TARGETS: readonly Target[] = [
  { name: 'card', path: () => '/products', button: '^Add .* to cart$' },
  { name: 'product', path: ({ productPath }) => productPath, button: '^Add to Cart$' },
];

interface Tap {
  /** Whether the tap came before the scripts were ready. */
  readonly isEarly: boolean;
  /** ms from the tap to the first visible reaction. */
  readonly shown: number;
  /** ms until the badge shows it, from the tap or from the moment the scripts were ready, whichever is later. */
  readonly badge: number;
  /** Whether the tap was neither lost nor counted twice. */
  readonly isOne: boolean;
}

/** Holds back the page's script files until `release`, or for five seconds: a page may need one for its first paint. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() === 'script') await released;
    await route.continue();
  });
  setTimeout(release, HOLD_MS);
  return release;
}

async function tapOnce(shop: BenchShop, site: string, { path, button }: Target): Promise<Tap> {
  const { context, page } = await openSlowPhone(shop.browser);
  await page.addInitScript(watchFirstTap, KEY);
  const release = await holdScripts(page);
  await page.goto(site + path(shop), { waitUntil: 'commit' });
  const { x, y } = await placeWhenPainted(page, button);
  await page.touchscreen.tap(x, y);
  release();
  await page.waitForFunction(isAnswered, KEY, { timeout: TIMEOUT_MS }).catch(() => {});
  const { note, cart } = await readNote(page);
  await context.close();
  const { down = 0, shown = NEVER, badge = NEVER, ready = badge } = note;
  const isOne = cart.reduce((sum, { quantity }) => sum + quantity, 0) === 1;
  return {
    isEarly: down < ready,
    shown: shown - down,
    badge: isOne ? Math.max(0, badge - Math.max(down, ready)) : NEVER,
    isOne,
  };
}

async function rowsOf(shop: BenchShop, target: Target): Promise<Row[]> {
  const taps = await inTurns(shop.sites, ROUNDS, (site) => tapOnce(shop, site, target));
  const early = taps.map((visits) => visits.filter(({ isEarly }) => isEarly).length).join(' and ');
  const note = `before the scripts in ${early} of ${ROUNDS} visits; ${SLOW_PHONE_NOTE}`;
  const row = (what: string, value: (tap: Tap) => number): Row =>
    compared(
      { what: `tap right after first paint, ${target.name}: ${what}`, unit: 'ms', bar: BAR_MS, note },
      taps.map((visits) => median(visits.map(value))),
    );
  return [
    row('shown', ({ shown }) => shown),
    row('from scripts ready to badge', ({ badge }) => badge),
    compared(
      { what: `tap right after first paint, ${target.name}: lost or twice`, unit: '', bar: 0, note },
      taps.map((visits) => visits.filter(({ isOne }) => !isOne).length),
    ),
  ];
}

/** Measures taps before the page's script has come: they must show at once, and count when it is there. */
export async function measureEarlyTaps(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of TARGETS) rows.push(...(await rowsOf(shop, target)));
  return rows;
}
