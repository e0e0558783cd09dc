/** In its own module, so that tests can replace it and need not wait. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Below the 25 s in which a page must say that something has failed. */
const CODE_WAIT_MS = 20_000;

/** Rejects what does not settle in time, such as an import whose server never answers. */
export const inTime = <Value>(work: Promise<Value>): Promise<Value> =>
  Promise.race([work, pause(CODE_WAIT_MS).then(() => Promise.reject(new Error('timeout')))]);
