/** One check of `npm run verify`: a tool of node_modules and its arguments. */
export type Step = {
  name: string;
  /** The tool's script, seen from the top of the repository. */
  tool: string;
  args: string[];
  /** Where the tool writes its JSON report of tests. */
  report?: string;
  env?: Record<string, string>;
};

export const REPORTS = '.cache/verify';
const TEST_SITE = '.cache/test-dist';
const biome = 'node_modules/@biomejs/biome/bin/biome';
const prettier = 'node_modules/prettier/bin/prettier.cjs';
const vitest = 'node_modules/vitest/vitest.mjs';

const vitestStep = (name: string, ...projects: string[]): Step => ({
  name,
  tool: vitest,
  args: [
    'run',
    '--config=tests/vitest.config.ts',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORTS}/${projects.join('-')}.json`,
  ],
  report: `${REPORTS}/${projects.join('-')}.json`,
});

/** In the order in which they fail fastest. */
export const steps: readonly Step[] = [
  {
    name: 'lint and imports',
    tool: biome,
    args: ['check', '--config-path=scripts/check', '--error-on-warnings'],
  },
  {
    name: 'format of .astro',
    tool: prettier,
    args: [
      '--config=scripts/check/prettier.json',
      '--check',
      '--no-error-on-unmatched-pattern',
      'src/**/*.astro',
    ],
  },
  { name: 'statements', tool: 'scripts/check/spec.ts', args: ['--missing'] },
  { name: 'faults', tool: 'scripts/check/faults.ts', args: ['--missing'] },
  {
    name: 'dead code',
    tool: 'node_modules/knip/bin/knip.js',
    args: ['--config=scripts/check/knip.json', '--no-progress'],
  },
  vitestStep('unit tests', 'unit', 'islands'),
  {
    name: 'types',
    tool: 'node_modules/astro/bin/astro.mjs',
    args: ['check', '--minimumSeverity', 'warning'],
  },
  vitestStep('API tests', 'api'),
  vitestStep('publish tests', 'publish'),
  { name: 'Chromium', tool: 'tests/support/ensure-chromium.ts', args: [] },
  { name: 'build', tool: 'tests/support/build.ts', args: [] },
  { name: 'size budgets', tool: 'scripts/check/size.ts', args: [TEST_SITE] },
  { name: 'HTML checker', tool: 'scripts/check/html.ts', args: [TEST_SITE] },
  {
    name: 'browser tests',
    tool: 'node_modules/playwright/cli.js',
    args: ['test', '--config=tests/playwright.config.ts', '--reporter=list,json'],
    report: `${REPORTS}/browser.json`,
    env: { SITE_DIST: TEST_SITE, PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/browser.json` },
  },
];
