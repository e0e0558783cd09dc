/**
 * `npm run mutation [-- money cart …]`: breaks one thing at a time in the modules that must not be wrong, and runs their
 * tests. A change that no test notices is told; a module below its bar ends it with 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { type Mutant, mutantsOf, mutate } from './mutants.ts';
import { createSandbox } from './sandbox.ts';

interface Module {
  readonly file: string;
  readonly tests: readonly string[];
}

const domain = (name: string, ...more: string[]): Module => ({
  file: `src/domain/${name}.ts`,
  tests: [name, ...more].map((test) => `tests/unit/domain/${test}.test.ts`),
});

const MODULES: Readonly<Record<string, Module>> = {
  money: domain('money', 'order'),
  cart: domain('cart'),
  redirect: domain('redirect'),
  order: domain('order'),
  'payment-form': domain('payment-form', 'payment-values', 'phone'),
  'payment-target': domain('payment-target', 'payment'),
  'payment-state': { file: 'scripts/api/payment-state.ts', tests: ['tests/api/payment-state.test.ts'] },
};
const BAR = 0.85;

const sandbox = createSandbox('mutation');

const vitest: Vitest = await createVitest('test', {
  root: sandbox,
  config: false,
  watch: true,
  bail: 1,
  pool: 'threads',
  maxWorkers: 1,
  testTimeout: 60_000,
  reporters: [{}],
  include: ['tests/unit/domain/*.test.ts', 'tests/api/*.test.ts'],
});

/** The next run of tests sees it, also through the modules that import it. */
function write(target: string, source: string): void {
  writeFileSync(target, source);
  vitest.invalidateFile(target);
}

async function pass(specs: TestSpecification[]): Promise<boolean> {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  // Those of the modules before are told too, as they ended.
  const asked = testModules.filter(({ moduleId }) => specs.some((spec) => spec.moduleId === moduleId));
  return unhandledErrors.length === 0 && asked.every((each) => each.ok());
}

async function scoreOf(name: string, { file, tests }: Module): Promise<number> {
  const target = join(sandbox, file);
  const source = readFileSync(target, 'utf8');
  const specs = (await vitest.globTestSpecifications([...tests])).filter(({ moduleId }) =>
    tests.some((test) => moduleId === join(sandbox, test)),
  );
  if (specs.length !== tests.length) throw new Error(`Not every test of ${name} was found.`);
  if (!(await pass(specs))) throw new Error(`The tests of ${name} fail unchanged.`);
  const mutants = mutantsOf(file, source);
  const survivors: Mutant[] = [];
  for (const mutant of mutants) {
    write(target, mutate(source, mutant));
    if (await pass(specs)) survivors.push(mutant);
  }
  write(target, source);
  const score = 1 - survivors.length / mutants.length;
  console.log(
    `${name.padEnd(16)}${(score * 100).toFixed(1).padStart(6)} %  ${mutants.length - survivors.length} of ${mutants.length} noticed`,
  );
  for (const { line, was, becomes } of survivors) console.log(`    ${file}:${line}  ${was} → ${becomes}`);
  return score;
}

const wanted = process.argv.slice(2);
let met = true;
for (const name of wanted.length > 0 ? wanted : Object.keys(MODULES)) {
  const module = MODULES[name];
  if (!module) throw new Error(`No module '${name}'. There are: ${Object.keys(MODULES).join(', ')}.`);
  if ((await scoreOf(name, module)) < BAR) met = false;
}
await vitest.close();
process.exit(met ? 0 : 1);
