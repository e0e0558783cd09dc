import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { startVitest } from 'vitest/node';
import { CapabilitiesSchema } from '#api/schema/capabilities.ts';
import { CAPABILITIES, CAPABILITY_NAMES, type CapabilityName } from '#domain/capabilities.ts';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { missingCalls } from './support/calls.ts';

/*
 * `npm run contract -- https://api.example/api/v1` tests what section 7 requires of a backend, by HTTP alone.
 * --hooks=FILE        what HTTP cannot do (support/hooks.ts)
 * --origin=ORIGIN     the site that the backend allows; by default http://localhost:4321
 */

declare module 'vitest' {
  interface ProvidedContext {
    contract: {
      readonly base: string;
      readonly origin: string;
      readonly capabilities: CapabilityName[];
      readonly missing: string[];
      readonly hooksFile: string | undefined;
    };
  }
}

const USAGE = 'npm run contract -- https://api.example/api/v1 [--hooks=FILE] [--origin=https://shop.example]';

/** The capabilities that the backend lists; none if it has no store record. */
async function capabilitiesAt(base: string): Promise<CapabilityName[]> {
  const body = await fetch(`${base}/storeInfo`)
    .then((response) => response.json())
    .catch(() => ({}));
  const listed = v.safeParse(CapabilitiesSchema, body);
  return listed.success ? listed.output : [];
}

runProgram(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { hooks: { type: 'string' }, origin: { type: 'string', default: 'http://localhost:4321' } },
  });
  const base = positionals[0]?.replace(/\/+$/, '') ?? '';
  if (!URL.canParse(base)) throw new ExplainedError(`Name the backend: ${USAGE}`);
  const missing = await missingCalls(base).catch(() => {
    throw new ExplainedError(`${base} does not respond.`);
  });
  const capabilities = await capabilitiesAt(base);
  console.log(`${base}\n\nCapabilities beyond section 7:`);
  for (const name of CAPABILITY_NAMES)
    console.log(`  ${capabilities.includes(name) ? 'yes' : 'no '}  ${name}: ${CAPABILITIES[name].adds}`);
  console.log(`\nCalls that are missing: ${missing.join(', ') || 'none'}\n`);
  const hooksFile = values.hooks && pathToFileURL(values.hooks).href;
  const contract = { base, origin: values.origin, capabilities, missing, hooksFile };
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      include: ['tests/contract/*.test.ts'],
      setupFiles: 'tests/contract/support/remote.ts',
      // Lists each test, and what a skipped one needs.
      reporters: ['verbose'],
      // One test at a time: they may share two customers, and another team's backend must not be loaded.
      fileParallelism: false,
      isolate: false,
      testTimeout: 60_000,
      watch: false,
      provide: { contract },
    },
    { cacheDir: '.cache/vitest-contract' },
  );
  await vitest.close();
});
