/** In its own module, so that tests can replace it and need not wait. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Less than the 25 s within which a page must report a failure. */
const CODE_WAIT_MS = 20_000;

/** Rejects what does not settle in time, such as an import whose server never answers. */
export const inTime = <Value>(work: Promise<Value>): Promise<Value> =>
  Promise.race([work, pause(CODE_WAIT_MS).then(() => Promise.reject(new Error('timeout')))]);
