import * as v from 'valibot';
import { ExplainedError } from './explained-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that a program reads from its environment, where the settings file puts it, too (scripts/settings). */
export interface Setting<S extends v.GenericSchema<unknown, unknown> = v.GenericSchema<unknown, unknown>> {
  readonly schema: S;
  /** What it does. scripts/settings/shop.env.example explains it to owners. */
  readonly meaning: string;
  /** What `npm run doctor` may show of its value. Without it the whole value is shown. */
  readonly shown?: (value: string) => string;
}

export type Settings = Readonly<Record<string, Setting>>;

type Schemas<Rows extends Settings> = { [Name in keyof Rows]: Rows[Name]['schema'] };

export class SettingsError extends ExplainedError {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

/** The variables of an environment that are set. An empty one counts as none. */
export const givenIn = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value]],
    ),
  );

const schemaOf = <Rows extends Settings>(rows: Rows) =>
  v.object(
    Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])) as Schemas<Rows>,
  );

/** What is wrong with the settings, a line for each. No line repeats a value, which may be a secret. */
export function problemsOf(rows: Settings, environment: Environment): string[] {
  const { issues = [] } = v.safeParse(schemaOf(rows), givenIn(environment));
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
}

/** @throws SettingsError with a line for each wrong variable */
export function parseSettings<Rows extends Settings>(
  rows: Rows,
  environment: Environment,
): v.InferOutput<v.ObjectSchema<Schemas<Rows>, undefined>> {
  const parsed = v.safeParse(schemaOf(rows), givenIn(environment));
  if (!parsed.success) throw new SettingsError(problemsOf(rows, environment));
  return parsed.output;
}

/* The kinds of values. */

export const text = (fallback: string) => v.pipe(v.optional(v.string(), fallback), v.trim());

export const whole = (fallback: number, least: number, most: number) =>
  v.pipe(
    text(String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

export const commaList = (fallback: string) =>
  v.pipe(
    text(fallback),
    v.transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    ),
  );

const OneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  v.picklist(names, `must be ${names.join(' or ')}`);

export const onOff = OneOf(['on', 'off']);

export const trueFalse = OneOf(['true', 'false']);

/** A secret that programs share, or somebody must know. */
export const secret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'));

/** Says of a secret only that it is there. */
export const hidden = (): string => '(set)';
