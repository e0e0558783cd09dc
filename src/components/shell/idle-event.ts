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
