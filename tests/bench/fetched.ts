import type { Page } from 'playwright';

const KIB = 1024;

export interface Fetched {
  readonly kib: number;
  readonly requests: number;
}

/**
 * The HTML, CSS and JavaScript that the open page has fetched over the network, compressed as sent and without headers:
 * all requests until its load event, and until now. Files from the browser's cache do not count, and what speculation
 * rules fetch ahead is not visible here.
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
    // By the standard, transferSize counts 300 bytes for headers, whatever their size. A 304 response has no body.
    const bytes = fetched.reduce((total, { transferSize }) => total + transferSize - 300, 0);
    return { kib: bytes / KIB, requests: fetched.length };
  };
  return { load: sum(loaded), now: sum(Number.POSITIVE_INFINITY) };
}
