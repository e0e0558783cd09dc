/**
 * `npm run maintain -- fuzz [answers|requests|office] [--seed=1] [--cases=10000] [--path=…]` changes the API's answers to
 * every page, the requests to every call of the API, and the forms of the office. A counterexample names its seed and path, so that it can be
 * repeated.
 */
import { parseArgs } from 'node:util';
import { buildOnce, testSite } from '#tests/support/build-site.ts';
import { fuzzAnswers } from './fuzz-answers.ts';
import { fuzzOffice } from './fuzz-office.ts';
import { fuzzRequests } from './fuzz-requests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '10000' },
    testers: { type: 'string', default: '3' },
    path: { type: 'string' },
  },
});
const { path } = values;
const [seed, cases] = [Number(values.seed), Number(values.cases)];
const targets = positionals.length > 0 ? positionals : ['answers', 'requests', 'office'];

if (targets.includes('answers')) {
  await buildOnce();
  const testers = path === undefined ? Number(values.testers) : 1;
  const { changedAnswers } = await fuzzAnswers({
    site: testSite,
    seed,
    cases,
    testers,
    path,
    log: console.log,
  });
  console.log(`answers: ${changedAnswers} changed under ${cases} pages, nothing found`);
}

if (targets.includes('requests')) {
  const { refused } = await fuzzRequests({ seed, cases, path });
  console.log(`requests: ${cases}, ${refused} of them refused, nothing found`);
}

if (targets.includes('office')) {
  const { refused } = await fuzzOffice({ seed, cases, path });
  console.log(`office: ${cases}, ${refused} of them refused, nothing found`);
}
