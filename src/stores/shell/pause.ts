/** Resolves after the given milliseconds; a module of its own, so that tests need not wait. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
