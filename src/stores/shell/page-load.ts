/**
 * Runs work after the load event, so that it does not delay the first view. A prerendered page waits until it is shown.
 */
export function whenShown(work: () => void): void {
  const { prerendering }: Document & { readonly prerendering?: boolean } = document;
  if (prerendering) document.addEventListener('prerenderingchange', () => whenShown(work), { once: true });
  else if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

export const pageLoaded = (): Promise<void> => new Promise(whenShown);

/** Gives the browser time to paint the pictures that have just loaded. */
const AFTER_LOAD_MS = 300;
/** The longest wait for an island, because its scripts may never arrive. */
const ISLAND_MS = 8_000;

/**
 * Runs work that must not compete with the loading of the page and its island. It may be called after the load, by a
 * script whose first request failed.
 */
export function runAfterLoad(work: () => void): void {
  let started = false;
  const start = (): void => {
    if (!started) setTimeout(work, AFTER_LOAD_MS);
    started = true;
  };
  const wait = (): void => {
    if (!document.querySelector('[data-hydrated=false]')) start();
    addEventListener('hydrated', start, { once: true });
    setTimeout(start, ISLAND_MS);
  };
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait);
}

const EVENT = 'idle';

let isIdle = false;

/**
 * Registers background work. later.ts, which loads after the page, decides when the page is idle and dispatches this event:
 * once, and again each time the network is back.
 */
export function whenPageIdle(work: () => void): void {
  if (isIdle) work();
  addEventListener(EVENT, work);
}

export function announcePageIdle(): void {
  isIdle = true;
  dispatchEvent(new Event(EVENT));
}
