import { buildOnce } from './build-site.ts';

/** Before all browser tests. */
export default buildOnce;
