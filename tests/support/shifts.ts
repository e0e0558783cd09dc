import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** When the HTML arrives in pieces, a word may move by a few pixels within its line: at most 0.0045 was measured. */
const LARGER_THAN_A_WORD = 0.005;

/** Records every layout shift of at least `minimum`, from the start of each page that is opened from now on. */
export const watchShifts = (page: Page, minimum = LARGER_THAN_A_WORD): Promise<unknown> =>
  page.addInitScript((minimum) => {
    const shifts: unknown[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
        if (value < minimum) continue;
        shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.trim().slice(0, 40)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  }, minimum);

/** Expects that nothing has moved in the open page. */
export async function expectNoShift(page: Page): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts')), page.url()).toEqual([]);
}
