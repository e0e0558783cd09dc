import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { countRows, TABLE_NAMES } from '#tests/server/support/rows.ts';
import { type ApiRequest, openApi, withUniqueParts } from './good-requests.ts';
import { changedRequest } from './request-changes.ts';

const STACK = /\bat [\w.<>]+ \(|node:internal|\.ts:\d+|SQLITE|valibot|\/node_modules\//i;

/**
 * Sends changed requests to an API in this process. No request may break it, and a refused one may store nothing.
 * Returns how many were refused.
 * @throws Error with fast-check's shrunk counterexample
 */
export async function fuzzRequests(options: {
  readonly seed: number;
  readonly cases: number;
  readonly path?: string | undefined;
}): Promise<{ refused: number }> {
  const api = await openApi();
  const { good, token, email, orderId, lines, db } = api;
  const count = async (table: string): Promise<number | undefined> => await countRows(db, `${table}`);
  const tables = TABLE_NAMES;
  const rows = async (): Promise<string> => (await Promise.all(tables.map(count))).join(' ');
  let [sent, refused] = [0, 0];

  function send(request: ApiRequest): Promise<Response> {
    sent += 1;
    return api.send(withUniqueParts(request, sent));
  }

  /** What is wrong with the response to a request; empty if nothing is. */
  async function problemsOf(request: ApiRequest): Promise<string[]> {
    const [before, logged] = [await rows(), lines.length];
    const response = await send(request);
    const { status } = response;
    const text = await response.text();
    const isRefused = status >= 400;
    if (isRefused) refused += 1;
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const after = await rows();
    const logLines = JSON.stringify(lines.slice(logged));
    const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
      [status >= 500 && status !== 503, `answered ${status}: ${text.slice(0, 200)}`],
      [isRefused && STACK.test(text), `reveals internals: ${text.slice(0, 200)}`],
      [isRefused && after !== before, `refused with ${status}, yet rows changed: ${before} → ${after}`],
      [
        isRefused && !isJson && request.method !== 'HEAD' && !request.path.startsWith('/gateway'),
        `refused with ${status}, but not in JSON`,
      ],
      [
        [token, email, orderId].some((secret) => logLines.includes(secret)),
        `logged something personal: ${logLines}`,
      ],
      [logLines.includes('unexpected error'), `logged: ${logLines.slice(0, 600)}`],
    ];
    return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
  }

  // If a request were refused even before it is changed, its changes would test nothing.
  for (const request of good) {
    const { status } = await send(request);
    if (status >= 400) throw new Error(`The good request ${request.call} is answered ${status}.`);
  }
  const property = fc.asyncProperty(changedRequest(good), async (request) => {
    const problems = await problemsOf(request);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const { seed, cases, path } = options;
  await fc.assert(property, { seed, numRuns: cases, ...(path === undefined ? {} : { path }) });
  return { refused };
}

/** `npm run fuzz -- [--seed=1] [--cases=10000] [--path=…]` prints the seed and path of a counterexample, which repeat it. */
if (import.meta.main) {
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
}
