/**
 * `npm run fuzz -- [requests|admin] [--seed=1] [--cases=10000] [--path=…]` changes the requests to every call of
 * the API, and the forms of the admin. A counterexample names its seed and path, so that it can be repeated.
 */
import { parseArgs } from 'node:util';
import { fuzzAdmin } from './fuzz-admin.ts';
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
const targets = positionals.length > 0 ? positionals : ['requests', 'admin'];

if (targets.includes('requests')) {
  const { refused } = await fuzzRequests({ seed, cases, path });
  console.log(`requests: ${cases}, ${refused} of them refused, nothing found`);
}

if (targets.includes('admin')) {
  const { refused } = await fuzzAdmin({ seed, cases, path });
  console.log(`admin: ${cases}, ${refused} of them refused, nothing found`);
}
