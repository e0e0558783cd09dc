/** In its own module, so that tests can replace it and need not wait. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
