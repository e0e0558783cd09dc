import type { BrowserContext, Page } from 'playwright';

const TAPPED = 'bench-tapped';

/** How a page came to the shopper. */
export interface Arrival {
  /** ms from the tap to the largest contentful paint, or to the first frame of a page from the back/forward cache. */
  readonly ms: number;
  /** Where its document came from, according to the browser. */
  readonly from: string;
}

interface NavigationEntry extends PerformanceNavigationTiming {
  readonly deliveryType: string;
  readonly contentEncoding: string;
  readonly notRestoredReasons: { readonly reasons: readonly { readonly reason: string }[] | null } | null;
}

/** Makes every page of a visit record when it was tapped and when it was painted, by a clock that all pages share. */
export const watchArrivals = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((tapped) => {
    const paint = (at: number, isReturn: boolean): void => {
      Object.assign(globalThis, { benchPaint: performance.timeOrigin + at, benchReturn: isReturn });
    };
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) paint(startTime, false);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) requestAnimationFrame(() => paint(performance.now(), true));
    });
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => sessionStorage.setItem(tapped, String(performance.timeOrigin + timeStamp)),
      { capture: true },
    );
  }, TAPPED);

/** Goes back. The page gets no pointer event for the browser's Back button, so this records the time. */
export const goBack = (page: Page): Promise<void> =>
  page.evaluate((tapped) => {
    sessionStorage.setItem(tapped, String(performance.timeOrigin + performance.now()));
    history.back();
  }, TAPPED);

/** Waits until the page that was tapped for is painted. It polls seldom, because each poll slows the page. */
export const untilArrived = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (tapped) => Number(Reflect.get(globalThis, 'benchPaint')) > Number(sessionStorage.getItem(tapped)),
    TAPPED,
    { polling: 200 },
  );

/** How the open page came. The first page of a visit has no tap, so its time counts from its start. */
export const arrivalOf = (page: Page): Promise<Arrival> =>
  page.evaluate((tapped) => {
    const [entry] = performance.getEntriesByType('navigation');
    const { deliveryType, workerStart, contentEncoding, notRestoredReasons } = entry as NavigationEntry;
    const notRestored = notRestoredReasons?.reasons?.map(({ reason }) => reason) ?? [];
    const source = workerStart > 0 ? 'service worker' : deliveryType || 'network';
    const ways = [source, ...(contentEncoding === 'dcz' ? ['dictionary'] : []), ...notRestored];
    return {
      ms:
        Number(Reflect.get(globalThis, 'benchPaint')) -
        Number(sessionStorage.getItem(tapped) ?? performance.timeOrigin),
      from: Reflect.get(globalThis, 'benchReturn') ? 'back/forward cache' : ways.join(' + '),
    };
  }, TAPPED);
