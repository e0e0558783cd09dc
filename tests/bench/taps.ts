import type { Page } from 'playwright';
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

const TAPS: readonly Tap[] = [
  { what: 'tap to badge, card', path: () => '/products', target: 'main [data-add]', answer: 'header' },
  {
    what: 'tap to badge, product',
    path: ({ productPath }) => productPath,
    target: 'main form button.btn-lg',
    answer: 'header',
  },
  { what: 'tap to menu', path: () => '/', target: 'header button[aria-expanded]', answer: 'header' },
];

/** Notes, in the page, when a pointer went down and when the frame after the answer was drawn. */
function watch(selector: string): void {
  const times: { down?: number; shown?: number } = {};
  Object.assign(window, { tapTimes: times });
  addEventListener('pointerdown', (event) => (times.down ??= event.timeStamp), { capture: true });
  addEventListener('DOMContentLoaded', () => {
    const target = document.querySelector(selector);
    if (!target) return;
    new MutationObserver(() => {
      if (times.down === undefined || times.shown !== undefined) return;
      requestAnimationFrame(() => (times.shown ??= performance.now()));
    }).observe(target, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

const readTimes = (page: Page) =>
  page.evaluate(() => (window as unknown as { tapTimes: { down?: number; shown?: number } }).tapTimes);

/** Milliseconds from the finger to the drawn answer, at the first moment the target can be seen, on a first visit. */
async function tapOnce(shop: BenchShop, { path, target, answer }: Tap): Promise<number> {
  const { context, page } = await openPhone(shop, { slowNetwork: true, slowCpu: true });
  await page.addInitScript(watch, answer);
  await page.goto(shop.url + path(shop), { waitUntil: 'commit' });
  const button = page.locator(target).first();
  await button.waitFor({ state: 'visible' });
  await button.tap();
  await page.waitForFunction(() => 'shown' in (window as unknown as { tapTimes: object }).tapTimes);
  const { down = 0, shown = Number.POSITIVE_INFINITY } = await readTimes(page);
  await context.close();
  return shown - down;
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
