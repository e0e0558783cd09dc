/**
 * `npm run fuzz -- [--seed=1] [--cases=10000] [--path=…]` changes the requests to every call of the API. A
 * counterexample names its seed and path, so that it can be repeated.
 */
import { parseArgs } from 'node:util';
import { fuzzRequests } from './fuzz-requests.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '10000' },
    path: { type: 'string' },
  },
});
const cases = Number(values.cases);
const { refused } = await fuzzRequests({ seed: Number(values.seed), cases, path: values.path });
console.log(`${cases} requests, ${refused} of them refused, nothing found`);
