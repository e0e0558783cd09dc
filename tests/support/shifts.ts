import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** A page that pauses within a line, while it is read, moves a word by a few pixels: 0.0045 at most was measured. */
const OF_A_WORD = 0.005;

/** Notes what moves by `least` or more, from the start of each page that is opened from now on. */
export const watchShifts = (page: Page, least = OF_A_WORD): Promise<unknown> =>
  page.addInitScript((least) => {
    const shifts: unknown[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
        if (value < least) continue;
        shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.trim().slice(0, 40)) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  }, least);

/** Nothing has moved in the page that is open. */
export async function expectNoShift(page: Page): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts')), page.url()).toEqual([]);
}
