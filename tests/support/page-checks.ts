import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** Text of the script that defines `axe` in a page. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

/**
 * Expects that axe finds nothing on the page in its current state: WCAG 2.2 AA and best practice.
 * @param rules the only ones to check; all, if none is named
 */
export const expectNoAxeFindings = async (page: Page, ...rules: string[]): Promise<void> => {
  // It is half a megabyte, so a page that has it keeps it.
  if (await page.evaluate(() => typeof axe === 'undefined')) await page.evaluate(axeSource);
  expect(await page.evaluate(axeFindings, rules.join(' ')), 'what axe finds').toEqual([]);
};

/**
 * What axe finds on a page. Runs there, after `axeSource`.
 * @param rules the only ones to check, separated by spaces
 */
export async function axeFindings(rules: string): Promise<string[]> {
  const only = rules ? { runOnly: rules.split(' ') } : {};
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...only });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** When the HTML arrives in pieces, a word may move by a few pixels within its line: at most 0.0045 was measured. */
const LARGER_THAN_A_WORD = 0.005;
/** For pages that do not arrive so slowly that single words move. */
export const SMALLEST_SHIFT = 0.001;

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

/**
 * Records what the page shows when it comes back from the back/forward cache, before its own scripts run. Returns a
 * function that reads the record on the next page, or null if the page did not come from that cache.
 */
export async function watchReturn(page: Page): Promise<() => Promise<string | null>> {
  // The cache takes no page that is left while it loads.
  await page.waitForLoadState();
  await page.evaluate(() => {
    let shown: string | undefined;
    const record = (): void => {
      if (document.visibilityState !== 'visible') return;
      const typed = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(
        ({ value }) => value,
      );
      shown ??= [document.body.innerText, ...typed].join('\n');
    };
    const store = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      record();
      sessionStorage.setItem('back', `Back: ${shown}`);
    };
    // `visibilitychange` comes before `pageshow`, and capturing listeners of the window come before the document's.
    addEventListener('visibilitychange', record, { capture: true });
    addEventListener('pageshow', store, { capture: true });
  });
  return () => page.evaluate(() => sessionStorage.getItem('back'));
}

/** The page itself goes back, because `page.goBack` fails when the restored page leaves at once. */
export const goBack = (page: Page): Promise<void> => page.evaluate(() => history.back());

/**
 * Leaves a page, signs out and goes Back. Expects that the page came from the cache, never showed any of the `personal`
 * texts, and leads to `address`: the sign-in, if the page is private.
 */
export async function expectHiddenOnReturn(
  page: Page,
  context: BrowserContext,
  personal: readonly string[],
  address = /\/login$/,
): Promise<void> {
  const shown = await watchReturn(page);
  await page.goto('/contact');
  await context.clearCookies();
  await goBack(page);
  await expect(page).toHaveURL(address);
  await expect.poll(shown).toContain('Back: ');
  for (const text of personal) expect(await shown()).not.toContain(text);
}

/**
 * Returns what of a page is hidden in this window: by bars that take more than half of its height, by a bar over the focused
 * element, or beside the window. Runs in the page, so it uses nothing from outside.
 */
export async function hiddenParts(): Promise<string[]> {
  const root = document.documentElement;
  const found = root.scrollWidth > innerWidth ? [`${root.scrollWidth} px wide`] : [];
  const isBar = (element: Element | null): boolean =>
    element !== null &&
    (/fixed|sticky/.test(getComputedStyle(element).position) || isBar(element.parentElement));
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    scrollTo({ top: share * (root.scrollHeight - innerHeight), behavior: 'instant' });
    const heights = Array.from({ length: Math.floor(innerHeight / 4) }, (_, index) => 4 * index + 2);
    const free = heights.filter((height) => !isBar(document.elementFromPoint(innerWidth / 2, height)));
    if (2 * free.length < heights.length) found.push(`bars at ${share}: ${free.length} of ${heights.length}`);
  }
  const stops = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    ),
  ];
  const isHidden = (stop: HTMLElement): boolean => {
    const label = stop instanceof HTMLInputElement ? stop.labels?.[0] : undefined;
    const own = stop.getBoundingClientRect();
    const { left, right, top, bottom, height } =
      own.width > 1 ? own : (label ?? stop).getBoundingClientRect();
    const [first, last] = [Math.max(0, top), Math.min(innerHeight, bottom)];
    const [start, end] = [Math.max(0, left), Math.min(innerWidth, right)];
    // A part at one side is enough, as in a strip that scrolls sideways.
    const isSeen = [0.1, 0.5, 0.9].some((share) => {
      const seen = document.elementFromPoint(start + share * (end - start), (first + last) / 2);
      return seen !== null && (stop.contains(seen) || seen.contains(stop) || label?.contains(seen));
    });
    return last - first < Math.min(24, height - 1) || !isSeen;
  };
  for (const stop of [...stops, ...[...stops].reverse()]) {
    // An element that has the focus already is not scrolled into view.
    stop.blur();
    stop.focus();
    if (document.activeElement !== stop || stop.tabIndex < 0) continue;
    // WebKit scrolls to the focused element some frames later.
    for (let frame = 0; frame < 20 && isHidden(stop); frame += 1) await new Promise(requestAnimationFrame);
    if (isHidden(stop))
      found.push(
        `hidden at ${Math.round(stop.getBoundingClientRect().top)} px: ${stop.outerHTML.slice(0, 120)}`,
      );
  }
  return found;
}
