/** Tells the time in ms since 1970. A test can replace it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
