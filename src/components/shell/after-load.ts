/** The picture that the page has loaded is drawn first. */
const AFTER_LOAD_MS = 300;

/** For what the page can be without until it has loaded. */
export const afterLoad = (work: () => void): void =>
  addEventListener('load', () => setTimeout(work, AFTER_LOAD_MS));
