/**
 * `npm run fuzz [-- answers|requests] [--seed=1] [--cases=10000] [--case=N]`: changes every answer of the API under every
 * page, and every request to every call of the API. A finding names its seed and number, so that it can be seen again.
 */
import { parseArgs } from 'node:util';
import { buildOnce, testSite } from '#tests/support/build-site.ts';
import { fuzzAnswers } from './fuzz-answers.ts';
import { fuzzRequests } from './fuzz-requests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '10000' },
    testers: { type: 'string', default: '3' },
    case: { type: 'string' },
  },
});
const [seed, cases] = [Number(values.seed), Number(values.cases)];
const wanted = positionals.length > 0 ? positionals : ['answers', 'requests'];
let found = 0;

if (wanted.includes('answers')) {
  await buildOnce();
  const result = await fuzzAnswers({
    site: testSite,
    seed,
    answers: cases,
    testers: values.case === undefined ? Number(values.testers) : 1,
    ...(values.case === undefined ? {} : { only: Number(values.case) }),
    told: console.log,
  });
  found += result.findings.length;
  console.log(
    `answers: ${result.changedAnswers} changed in ${result.cases} pages, seed ${seed}, ${result.seconds.toFixed(0)} s, ${result.findings.length} findings`,
  );
}

if (wanted.includes('requests')) {
  const { requests, refused, seconds, findings } = await fuzzRequests(seed, cases);
  for (const { number, request, problem } of findings)
    console.log(`seed ${seed} request ${number}  ${problem}\n    ${request}`);
  found += findings.length;
  console.log(
    `requests: ${requests}, ${refused} of them refused, seed ${seed}, ${seconds.toFixed(0)} s, ${findings.length} findings`,
  );
}

process.exitCode = found === 0 ? 0 : 1;
