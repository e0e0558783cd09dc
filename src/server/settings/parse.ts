import * as v from 'valibot';
import { ExplainedError } from '#server/process/explained-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export class SettingsError extends ExplainedError {
  constructor(...problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

/** Returns the variables that are set. An empty one counts as unset. */
export const givenIn = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value]] : [])),
  );

/** Returns a line for each invalid setting. No line repeats a value, which may be a secret. */
export function problemsOf(rows: v.ObjectEntries, environment: Environment): string[] {
  const { issues = [] } = v.safeParse(v.object(rows), givenIn(environment));
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

/** @throws SettingsError with a line for each invalid setting */
export function parseSettings<const Rows extends v.ObjectEntries>(
  rows: Rows,
  environment: Environment,
): v.InferOutput<v.ObjectSchema<Rows, undefined>> {
  const parsed = v.safeParse(v.object(rows), givenIn(environment));
  if (!parsed.success) throw new SettingsError(...problemsOf(rows, environment));
  return parsed.output;
}
