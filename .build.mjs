import {buildTestSite} from '#tests/support/build-site.ts'; await buildTestSite(process.argv[2]).catch(e=>console.error(e));
