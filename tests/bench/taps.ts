import type { Locator, Page } from 'playwright';
import { openSlowPhone, SLOW_PHONE_NOTE } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const TAP_BAR_MS = 100;
const ROUNDS = 5;

interface Tap {
  readonly what: string;
  readonly path: (shop: BenchShop) => string;
  readonly target: (page: Page) => Locator;
  /** The selector of what the tap must change. The answer is the frame after its mutation. */
  readonly answer: string;
}

const productPathOf = ({ productPath }: BenchShop): string => productPath;
const sizedPathOf = ({ sizedPath }: BenchShop): string => sizedPath;
const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name, exact: true }).first();
const size = (page: Page): Locator =>
  page.locator('main form label', { has: page.getByRole('radio') }).first();

const TAPS: readonly Tap[] = [
  {
    what: 'tap to badge, card',
    path: () => '/products',
    target: button(/^Add .* to cart$/),
    answer: 'header',
  },
  { what: 'tap to badge, product', path: productPathOf, target: button('Add to Cart'), answer: 'header' },
  { what: 'tap to size', path: sizedPathOf, target: size, answer: 'main form' },
  {
    what: 'tap to stepper',
    path: productPathOf,
    target: button('Increase quantity'),
    answer: '[aria-label="Quantity"]',
  },
  { what: 'tap to menu', path: () => '/', target: button('Menu'), answer: 'header' },
];

const KEY = 'bench-tap';

/** Stores the ms from the first pointerdown to the frame after the answer. They survive a navigation. */
function watch({ key, answer }: { key: string; answer: string }): void {
  let down: number | undefined;
  let shown = false;
  const show = (): void => {
    if (down === undefined || shown) return;
    shown = true;
    const start = down;
    requestAnimationFrame(() => sessionStorage.setItem(key, String(performance.now() - start)));
  };
  addEventListener('pointerdown', (event) => (down ??= event.timeStamp), { capture: true });
  addEventListener('DOMContentLoaded', () => {
    const target = document.querySelector(answer);
    if (!target || sessionStorage.getItem(key)) return;
    new MutationObserver(show).observe(target, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    // Opening a popover changes no markup, but it sends a `toggle` event.
    target.addEventListener('toggle', show, { capture: true });
    target.addEventListener('change', show);
    target.addEventListener('input', show);
  });
}

/** The ms from the tap to the painted answer, on a first visit to a page that has loaded. */
async function tapOnce(shop: BenchShop, site: string, { path, target, answer }: Tap): Promise<number> {
  const { context, page } = await openSlowPhone(shop.browser);
  await page.addInitScript(watch, { key: KEY, answer });
  await page.goto(site + path(shop));
  await target(page).tap();
  const time = await page.waitForFunction((key) => Number(sessionStorage.getItem(key)), KEY);
  const ms = await time.jsonValue();
  await context.close();
  return ms;
}

export async function measureTaps(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tap of TAPS) {
    const times = await inTurns(shop.sites, ROUNDS, (site) => tapOnce(shop, site, tap));
    const worst = Math.round(Math.max(...(times[0] ?? [])));
    const note = `worst of ${ROUNDS}: ${worst} ms; ${SLOW_PHONE_NOTE}`;
    rows.push(compared({ what: tap.what, unit: 'ms', bar: TAP_BAR_MS, note }, times.map(median)));
  }
  return rows;
}
