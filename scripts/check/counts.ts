import * as v from 'valibot';

export type TestCounts = { passed: number; failed: number };

const vitestReport = v.pipe(
  v.object({ numPassedTests: v.number(), numFailedTests: v.number() }),
  v.transform(({ numPassedTests, numFailedTests }) => ({ passed: numPassedTests, failed: numFailedTests })),
);

const playwrightReport = v.pipe(
  v.object({ stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }) }),
  v.transform(({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky })),
);

/** Tests that passed and failed in the JSON report of Vitest or Playwright; zeros where it is neither. */
export const countTests = (report: string): TestCounts => {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.union([vitestReport, playwrightReport])),
    report,
  );
  return parsed.success ? parsed.output : { passed: 0, failed: 0 };
};
