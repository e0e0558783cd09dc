import * as v from 'valibot';
import { ExplainedError } from '#server/process/explained-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export class SettingsError extends ExplainedError {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

/** The variables of an environment that are set. An empty one counts as none. */
export const givenIn = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );

/** What is wrong with settings, a line for each. No line repeats a value, which may be a secret. */
export function problemsOf(rows: v.ObjectEntries, environment: Environment): string[] {
  const { issues = [] } = v.safeParse(v.object(rows), givenIn(environment));
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

/** @throws SettingsError with a line for each wrong setting */
export function parseSettings<const Rows extends v.ObjectEntries>(
  rows: Rows,
  environment: Environment,
): v.InferOutput<v.ObjectSchema<Rows, undefined>> {
  const parsed = v.safeParse(v.object(rows), givenIn(environment));
  if (!parsed.success) throw new SettingsError(problemsOf(rows, environment));
  return parsed.output;
}
