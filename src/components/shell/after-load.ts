/** The wait gives the browser time to draw the pictures that have just loaded. */
const AFTER_LOAD_MS = 300;

/** Runs work that must not compete with the loading of the page. */
export const runAfterLoad = (work: () => void): void =>
  addEventListener('load', () => setTimeout(work, AFTER_LOAD_MS));
