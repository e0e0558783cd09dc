import type { Page } from 'playwright/test';

/** A page's last own request is for the date of the catalogue in its footer. The sign-in pages do not send it. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/build-info.json')),
  );
}

/** Waits until the page has painted what the responses so far have changed. */
export const untilPainted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted()))),
  );
