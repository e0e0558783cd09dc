import { type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const TAP_BAR_MS = 100;
const ROUNDS = 5;

interface Tap {
  readonly what: string;
  readonly path: (shop: BenchShop) => string;
  readonly target: string;
  /** What the tap must change; the frame after its mutation is the answer. */
  readonly answer: string;
}

const ofProduct = ({ productPath }: BenchShop): string => productPath;
const ofSizes = ({ sizedPath }: BenchShop): string => sizedPath;

const TAPS: readonly Tap[] = [
  { what: 'tap to badge, card', path: () => '/products', target: 'main [data-add]', answer: 'header' },
  { what: 'tap to badge, product', path: ofProduct, target: '.buy-add', answer: 'header' },
  { what: 'tap to size', path: ofSizes, target: '[data-options="size"] label', answer: '[data-buy]' },
  { what: 'tap to stepper', path: ofProduct, target: '[data-step="1"]', answer: '[data-stepper]' },
  { what: 'tap to menu', path: () => '/', target: 'header button[popovertarget]', answer: 'header' },
];

const KEY = 'bench-tap';

/** Notes when a pointer went down and when the frame after the answer was drawn; a navigation does not lose it. */
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
    // A popover's button is not changed: the browser says by itself that it is open.
    target.addEventListener('toggle', show, { capture: true });
    target.addEventListener('change', show);
    target.addEventListener('input', show);
  });
}

/** Milliseconds from the finger to the drawn answer, at the first moment the target can be seen, on a first visit. */
async function tapOnce(shop: BenchShop, { path, target, answer }: Tap): Promise<number> {
  const { context, page } = await openPhone(shop, { slowNetwork: true, slowCpu: true });
  await page.addInitScript(watch, { key: KEY, answer });
  await page.goto(shop.url + path(shop), { waitUntil: 'commit' });
  const button = page.locator(target).first();
  await button.waitFor({ state: 'visible' });
  await button.tap();
  const time = await page.waitForFunction((key) => Number(sessionStorage.getItem(key)), KEY);
  const ms = await time.jsonValue();
  await context.close();
  return ms;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export async function measureTaps(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tap of TAPS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await tapOnce(shop, tap));
    const worst = Math.max(...times);
    rows.push({
      what: tap.what,
      value: median(times),
      unit: 'ms',
      bar: TAP_BAR_MS,
      note: `worst of ${ROUNDS}: ${Math.round(worst)} ms; slow 4G, CPU 4×`,
    });
  }
  return rows;
}
