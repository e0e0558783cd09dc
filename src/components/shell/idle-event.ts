const EVENT = 'idle';

/**
 * Lets a page's first script register background work without carrying the code that decides when the page is idle.
 * That code loads later (later.ts) and sends this event.
 */
export const whenPageIdle = (work: () => void): void => addEventListener(EVENT, work);

export const announcePageIdle = (): boolean => dispatchEvent(new Event(EVENT));
