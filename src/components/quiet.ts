const EVENT = 'quiet';

/**
 * Work of a page's first script that nobody waits for. It carries no more than this: when the time has come is known
 * to the part that loads later.
 */
export const whenQuiet = (work: () => void): void => addEventListener(EVENT, work);

export const tellQuiet = (): boolean => dispatchEvent(new Event(EVENT));
