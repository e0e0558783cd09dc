import type { Page } from 'playwright';

const KIB = 1024;

export interface Fetched {
  readonly kib: number;
  readonly requests: number;
}

/**
 * HTML, CSS and JavaScript that the page that is open has fetched over the network, encoded as sent and without headers:
 * what was asked for until its load event, and until now. What the browser had kept does not count, and what it fetches
 * ahead by speculation rules is not seen.
 */
export async function fetchedBy(page: Page): Promise<{ load: Fetched; now: Fetched }> {
  const { entries, loaded } = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    if (!navigation) throw new Error('The browser tells nothing of this page.');
    const resources = performance.getEntriesByType('resource');
    return {
      entries: [navigation, ...resources].map((entry) => {
        const { startTime, transferSize, contentType } = entry as PerformanceResourceTiming & {
          contentType: string;
        };
        return { startTime, transferSize, contentType };
      }),
      loaded: (navigation as PerformanceNavigationTiming).loadEventStart,
    };
  });
  const counted = entries.filter(
    ({ transferSize, contentType }) => transferSize > 0 && /html|css|javascript/.test(contentType),
  );
  const sum = (until: number): Fetched => {
    const fetched = counted.filter(({ startTime }) => startTime <= until);
    // By the standard the headers are taken for 300 bytes, whatever they are; an answer of 304 has no body.
    const bytes = fetched.reduce((total, { transferSize }) => total + transferSize - 300, 0);
    return { kib: bytes / KIB, requests: fetched.length };
  };
  return { load: sum(loaded), now: sum(Number.POSITIVE_INFINITY) };
}
