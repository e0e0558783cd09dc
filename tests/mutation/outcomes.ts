import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';

/** The outcome of a test that ran, or of a whole file, without a title, that could not be loaded. */
export type Outcome = { file: string; title: string; passed: boolean; message: string };

const hasRun = (status: string): boolean => status === 'passed' || status === 'failed';

const VitestReport = v.pipe(
  v.object({
    testResults: v.array(
      v.object({
        name: v.string(),
        status: v.string(),
        message: v.optional(v.string(), ''),
        assertionResults: v.array(
          v.object({
            fullName: v.string(),
            status: v.string(),
            failureMessages: v.nullish(v.array(v.string()), []),
          }),
        ),
      }),
    ),
  }),
  v.transform(({ testResults }) =>
    testResults.flatMap(({ name: file, status, message, assertionResults }): Outcome[] => {
      const outcomes = assertionResults
        .filter((result) => hasRun(result.status))
        .map(({ fullName: title, failureMessages, ...result }) => ({
          file,
          title,
          // A test that passed only when it was retried has a failure message, too, and counts as failed.
          passed: result.status === 'passed' && !failureMessages?.length,
          message: failureMessages?.map(stripVTControlCharacters).join('\n') ?? '',
        }));
      const failedAsFile = status === 'failed' && outcomes.every(({ passed }) => passed);
      return failedAsFile ? [...outcomes, { file, title: '', passed: false, message }] : outcomes;
    }),
  ),
);

const Message = v.pipe(
  v.object({ message: v.optional(v.string(), '') }),
  v.transform(({ message }) => stripVTControlCharacters(message)),
);

const Spec = v.object({
  title: v.string(),
  file: v.string(),
  tests: v.array(v.object({ status: v.string(), results: v.array(v.object({ errors: v.array(Message) })) })),
});

type Suite = { title: string; specs: v.InferOutput<typeof Spec>[]; suites?: Suite[] | undefined };

const Suite: v.GenericSchema<unknown, Suite> = v.object({
  title: v.string(),
  specs: v.array(Spec),
  suites: v.optional(v.array(v.lazy(() => Suite))),
});

const outcomesOf = ({ specs, suites = [] }: Suite, groups: readonly string[] = []): Outcome[] => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status, results }) => ({
        file,
        title: [...groups, title].join(' '),
        passed: status === 'expected',
        message: results.flatMap(({ errors }) => errors).join('\n'),
      })),
  ),
  ...suites.flatMap((suite) => outcomesOf(suite, [...groups, suite.title])),
];

const PlaywrightReport = v.pipe(
  v.object({
    config: v.object({ rootDir: v.string() }),
    suites: v.array(Suite),
    errors: v.array(Message),
  }),
  v.transform(({ config, suites, errors }): Outcome[] => [
    ...suites
      .flatMap((suite) => outcomesOf(suite))
      .map((outcome) => ({ ...outcome, file: join(config.rootDir, outcome.file) })),
    ...errors.map((message) => ({ file: '', title: '', passed: false, message })),
  ]),
);

/**
 * Reads the outcome of every test that ran from a JSON report of Vitest or Playwright. Returns an empty list when the
 * text is neither. The paths of files are relative to `root`.
 */
export const readOutcomes = (report: string, root = process.cwd()): Outcome[] => {
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.union([VitestReport, PlaywrightReport])),
    report,
  );
  const outcomes = parsed.success ? parsed.output : [];
  return outcomes.map((outcome) => ({ ...outcome, file: outcome.file && relative(root, outcome.file) }));
};
