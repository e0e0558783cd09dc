/**
 * `npm run fuzz -- [requests|office] [--seed=1] [--cases=10000] [--path=…]` changes the requests to every call of
 * the API, and the forms of the office. A counterexample names its seed and path, so that it can be repeated.
 */
import { parseArgs } from 'node:util';
import { fuzzOffice } from './fuzz-office.ts';
import { fuzzRequests } from './fuzz-requests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '10000' },
    path: { type: 'string' },
  },
});
const { path } = values;
const [seed, cases] = [Number(values.seed), Number(values.cases)];
const targets = positionals.length > 0 ? positionals : ['requests', 'office'];

if (targets.includes('requests')) {
  const { refused } = await fuzzRequests({ seed, cases, path });
  console.log(`requests: ${cases}, ${refused} of them refused, nothing found`);
}

if (targets.includes('office')) {
  const { refused } = await fuzzOffice({ seed, cases, path });
  console.log(`office: ${cases}, ${refused} of them refused, nothing found`);
}
