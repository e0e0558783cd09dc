/** One check of `npm run verify`: a tool of node_modules and its arguments. */
export type Step = {
  name: string;
  /** The path of the tool's script, from the top of the repository. */
  tool: string;
  args: string[];
  /** Where the tool writes its JSON report of tests. */
  report?: string;
  env?: Record<string, string>;
  /** Whether its output is shown even when it succeeds, such as which tests are left out. */
  isShown?: boolean;
  timeoutMs?: number;
};

export const REPORTS = '.cache/verify';
export const TEST_SITE = '.cache/test-dist';
const biome = 'node_modules/@biomejs/biome/bin/biome';
const prettier = 'node_modules/prettier/bin/prettier.cjs';

/** What a test runner needs beside its configuration: the path of its report, and arguments. */
type TestRun = { name: string; report: string; args: string[] };

export const vitestStep = ({ name, report, args }: TestRun): Step => ({
  name,
  tool: 'node_modules/vitest/vitest.mjs',
  args: [
    'run',
    '--config=tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ],
  report,
});

/** @param site the folder of a site that is already built; if empty, the tests build it first */
export const browserStep = ({ name, report, args, site }: TestRun & { site: string }): Step => ({
  name,
  tool: 'node_modules/playwright/cli.js',
  args: ['test', '--config=tests/playwright.config.ts', '--reporter=list,json', ...args],
  report,
  env: { SITE_DIST: site, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
});

/**
 * A failed test is retried once, because a shared machine may have stalled. The count at the end still takes it for a
 * failure, and `npm run faults` retries nothing.
 */
const testsOf = (name: string, ...projects: string[]): Step =>
  vitestStep({
    name,
    report: `${REPORTS}/${projects.join('-')}.json`,
    args: [...projects.map((project) => `--project=${project}`), '--retry=1'],
  });

export const ensureChromium: Step = {
  name: 'Chromium',
  tool: 'tests/support/ensure-chromium.ts',
  args: [],
  isShown: true,
};
export const ensureWebServers: Step = {
  name: 'nginx, Caddy, systemd',
  tool: 'tests/support/ensure-web-servers.ts',
  args: [],
  isShown: true,
};
export const buildTestSite: Step = { name: 'build', tool: 'tests/support/build.ts', args: [] };

/** What fails fastest, one after the other. */
export const quick: readonly Step[] = [
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
  { name: 'statements', tool: 'scripts/check/proofs/spec.ts', args: ['--missing'] },
  { name: 'rooms', tool: 'scripts/check/rooms.ts', args: [] },
  {
    name: 'dead code',
    tool: 'node_modules/knip/bin/knip.js',
    args: ['--config=scripts/check/knip.json', '--no-progress'],
  },
];

/** What needs neither a server nor a browser. */
const code: readonly Step[] = [
  testsOf('unit tests', 'unit'),
  {
    name: 'types',
    tool: 'node_modules/astro/bin/astro.mjs',
    args: ['check', '--minimumSeverity', 'warning'],
  },
];

/** The API, its databases, and a web server before it. */
const api: readonly Step[] = [
  { name: 'PostgreSQL', tool: 'tests/support/ensure-postgres.ts', args: [], isShown: true },
  ensureWebServers,
  testsOf('API tests', 'api', 'api-postgres'),
];

/** Publishing behind the web servers that the other list has installed by then. */
const publishing: readonly Step[] = [testsOf('publish tests', 'publish')];

/** @param args what Playwright is told besides, such as `--shard=1/3` */
const browser = (args: readonly string[]): readonly Step[] => [
  ensureChromium,
  buildTestSite,
  { ...testsOf('built pages', 'dist'), env: { SITE_DIST: TEST_SITE } },
  { name: 'size budgets', tool: 'scripts/check/size.ts', args: [TEST_SITE] },
  { name: 'HTML checker', tool: 'scripts/check/html.ts', args: [TEST_SITE] },
  browserStep({
    name: 'browser tests',
    report: `${REPORTS}/browser.json`,
    args: ['--retries=1', '--trace=on-first-retry', ...args],
    site: TEST_SITE,
  }),
];

export const parts = { code: () => code, servers: () => [...api, ...publishing], browser } as const;

/**
 * Each list runs in its order, and the lists run side by side: both wait for other processes for a part of their time, and
 * take about as long as each other.
 */
export const sideBySide: readonly (readonly Step[])[] = [api, [...code, ...browser([]), ...publishing]];
