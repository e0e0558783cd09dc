import { buildTestSite } from './build-site.ts';

await buildTestSite();
