const EVENT = 'idle';

/**
 * Work of a page's first script that nobody waits for. It carries no more than this: when the time has come is known
 * to the part that loads later.
 */
export const whenPageIdle = (work: () => void): void => addEventListener(EVENT, work);

export const announcePageIdle = (): boolean => dispatchEvent(new Event(EVENT));
