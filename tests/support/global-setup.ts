import { buildOnce } from './build-site.ts';

/** Playwright runs this before all browser tests. */
export default buildOnce;
