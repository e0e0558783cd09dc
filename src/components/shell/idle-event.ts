/** The wait gives the browser time to draw the pictures that have just loaded. */
const AFTER_LOAD_MS = 300;
/** The longest wait for an island, whose scripts may never arrive. */
const ISLAND_MS = 8_000;

/** Runs work that must not compete with the loading of the page, or of the scripts of its island. */
export const runAfterLoad = (work: () => void): void =>
  addEventListener('load', () => {
    let started = false;
    const start = (): void => {
      if (!started) setTimeout(work, AFTER_LOAD_MS);
      started = true;
    };
    if (!document.querySelector('[data-hydrated=false]')) return start();
    addEventListener('hydrated', start, { once: true });
    setTimeout(start, ISLAND_MS);
  });

const EVENT = 'idle';

let isIdle = false;

/**
 * Lets a page's scripts register background work without carrying the code that decides when the page is idle. That code
 * loads later (later.ts) and sends this event: once the page is idle, and each time the network is back.
 */
export function whenPageIdle(work: () => void): void {
  if (isIdle) work();
  addEventListener(EVENT, work);
}

export function announcePageIdle(): void {
  isIdle = true;
  dispatchEvent(new Event(EVENT));
}
