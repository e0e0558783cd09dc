import type { Page } from 'playwright';
import { type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const BAR_MS = 200;
/** What the badge counts up to; three visits of as many make 300 edits. */
const BADGE_MOST = 99;
const ROUNDS = 3;
/** Between two edits, as the fault has it: two processes do not share localStorage at once. */
const PAUSE_MS = 50;

const addButton = (page: Page) => page.getByRole('button', { name: /^Add .* to cart$/ }).first();

/** When the badge first shows `count`, in ms since 1970: both tabs read one clock. */
const badgeAt = (page: Page, count: number): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const badge = document.querySelector('[data-cart-count]');
        const isThere = (): boolean => badge?.textContent === wanted;
        if (!badge || isThere()) return resolve(performance.timeOrigin + performance.now());
        new MutationObserver((_, observer) => {
          if (!isThere()) return;
          observer.disconnect();
          resolve(performance.timeOrigin + performance.now());
        }).observe(badge, { childList: true, characterData: true, subtree: true });
      }),
    String(count),
  );

/** One visit with two tabs that add in turn: the times from one badge to the other, in ms. */
async function editInTurn(shop: BenchShop): Promise<number[]> {
  const { context, page } = await openPhone(shop);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${shop.url}/products`);
    await addButton(tab).waitFor();
  }
  const times: number[] = [];
  for (let edit = 1; edit <= BADGE_MOST; edit += 1) {
    const [acting, watching] = edit % 2 === 0 ? [page, other] : [other, page];
    const seen = [badgeAt(acting, edit), badgeAt(watching, edit)];
    await addButton(acting).evaluate((button: HTMLElement) => button.click());
    const [here = 0, there = 0] = await Promise.all(seen);
    times.push(Math.max(there - here, 0));
    await page.waitForTimeout(PAUSE_MS);
  }
  await context.close();
  return times;
}

/** Milliseconds from the badge of the tab that adds to the badge of the other (faults 29). */
export async function measureTwoTabs(shop: BenchShop): Promise<Row[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(...(await editInTurn(shop)));
  times.sort((a, b) => a - b);
  const [median = Number.NaN, worst = Number.NaN] = [times[Math.floor(times.length / 2)], times.at(-1)];
  return [
    {
      what: 'two tabs, from one badge to the other',
      value: worst,
      unit: 'ms',
      bar: BAR_MS,
      note: `worst of ${times.length} edits in turn, median ${Math.round(median)} ms`,
    },
  ];
}
