import * as v from 'valibot';
import { BuildError } from '#scripts/program/explained-error.ts';

const wholeNumber = (fallback: number, least: number, most: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

const Environment = v.object({
  WATCH_PORT: wholeNumber(8055, 0, 65_535),
  WATCH_HOST: v.optional(v.string(), '127.0.0.1'),
  /** Seconds between two checks of the catalogue; 0 for none: then it publishes only when the hook is called. */
  WATCH_INTERVAL: wholeNumber(30, 0, 86_400),
  REBUILD_TOKEN: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
});

export type WatchSettings = v.InferOutput<typeof Environment>;

/** @throws BuildError that names the variable, never the token */
export function readWatchSettings(env: Readonly<Record<string, string | undefined>>): WatchSettings {
  const settings = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = v.safeParse(Environment, settings);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`);
  throw new BuildError(`The watcher cannot start: ${problems.join('; ')}.`);
}
