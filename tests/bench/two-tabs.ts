import type { Page } from 'playwright';
import { editInTurn, type Shown } from '#tests/support/edit-in-turn.ts';
import { type BenchShop, openPhone } from './shop.ts';
import type { Row } from './table.ts';

const BAR_MS = 200;
const EDITS = 60;
const EVERY_MS = 1_000;

const stored = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const lines: { quantity: number }[] = JSON.parse(localStorage.getItem('cart') ?? '[]');
    return lines.reduce((sum, { quantity }) => sum + quantity, 0);
  });

/** When the badge first showed as many, or more: what two events brought at once it shows once. */
const timeOf = (shown: readonly Shown[], wanted: number): number =>
  shown.find(([count]) => count >= wanted)?.[1] ?? Number.NaN;

/** One visit with two tabs that add in turn: the times from one badge to the other, in ms, and how many edits are there. */
async function visit(shop: BenchShop): Promise<{ times: number[]; count: number }> {
  const { context, page } = await openPhone(shop);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${shop.url}/products`);
    await tab.locator('main [data-add]').first().waitFor();
  }
  const [here = [], there = []] = await editInTurn([page, other], EDITS, EVERY_MS);
  const count = Math.min(await stored(page), await stored(other));
  await context.close();
  const counts = Array.from({ length: count }, (_, index) => index + 1);
  return { count, times: counts.map((each) => Math.abs(timeOf(here, each) - timeOf(there, each))) };
}

/** Edits that two tabs made a second apart and that are lost, and milliseconds from one badge to the other (fault 29). */
export async function measureTwoTabs(shop: BenchShop): Promise<Row[]> {
  const { times, count } = await visit(shop);
  times.sort((a, b) => a - b);
  const [median = Number.NaN, worst = Number.NaN] = [times[Math.floor(times.length / 2)], times.at(-1)];
  return [
    {
      what: 'two tabs, edits lost',
      value: EDITS - count,
      unit: '',
      bar: 0,
      note: `of ${EDITS} in turn, a second apart, neither waiting for the other`,
    },
    {
      what: 'two tabs, from one badge to the other',
      value: worst,
      unit: 'ms',
      bar: BAR_MS,
      note: `worst of ${times.length} edits, median ${Math.round(median)} ms`,
    },
  ];
}
