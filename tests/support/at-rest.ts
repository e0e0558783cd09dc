import type { Page } from 'playwright/test';

/** The date of the catalogue, in its footer, is the last thing that a page asks for by itself; the sign-in pages have none. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/build-info.json')),
  );
}

/** What an answer changed that the page has by now is painted. */
export const untilPainted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted()))),
  );
