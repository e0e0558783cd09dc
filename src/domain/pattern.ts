/*
 * Regular expressions from the server. A backtracking matcher takes minutes for some of them, so one is used only where
 * trying every way through it is sure to be quick; all others are left to the server (resolutions 36; faults 56).
 */

const PATTERN_LIMIT = 300;

/** A million steps of a matcher take about 10 ms. */
const STEPS_LIMIT = 2_000_000;
/** What compiling takes, in such steps: a class of Unicode (`\p{L}`) has hundreds of ranges. */
const CHARACTER_STEPS = 30;
const PROPERTY_STEPS = 40_000;

/** Lookbehind, and references back to a group. */
const BACKWARDS = /\(\?<[=!]|\\[1-9k]/;
/** A repeat around other repeats or choices multiplies the ways to match with each round. */
const REPEATED_GROUP = /\)[*+{]/;
const REPEAT = /[*+]|\{\d+,\d*\}/g;
const CHOICE = /[?|]/g;
const ANCHORED = /^\^[^|]*$/;
const COUNT = /\{(\d+)/g;

/** The pattern with a letter for each escape and character class, and with plain groups. */
const skeletonOf = (pattern: string): string =>
  pattern
    .replace(/\\(?:[pPu]\{[^}]*\}|.)/gsu, 'a')
    .replace(/\[(?:\\.|[^\]\\])*\]?/g, 'a')
    .replace(/\(\?(?:[:=!]|<\w+>)/g, '(');

/**
 * The most steps that compiling and matching can take: each repeat may end anywhere in the value, each choice doubles the
 * ways, and a pattern without `^` is tried from every character. Infinity where the pattern is not to be used.
 */
function mostSteps(pattern: string, length: number): number {
  const skeleton = skeletonOf(pattern);
  if (pattern.length > PATTERN_LIMIT || BACKWARDS.test(pattern) || REPEATED_GROUP.test(skeleton))
    return Number.POSITIVE_INFINITY;
  const times = (part: RegExp): number => skeleton.match(part)?.length ?? 0;
  const repeats = times(REPEAT) + (ANCHORED.test(skeleton) ? 0 : 1);
  const ways = (length + 1) ** repeats * 2 ** times(CHOICE);
  const counted = [...skeleton.matchAll(COUNT)].reduce((sum, [, count]) => sum + Number(count), 0);
  const properties = pattern.match(/\\p/gi)?.length ?? 0;
  const compiling = pattern.length * CHARACTER_STEPS + properties * PROPERTY_STEPS;
  return compiling + ways * (skeleton.length + counted);
}

/** The steps that are left to all patterns of one look at a form: together they must not block the page either. */
export interface PatternBudget {
  steps: number;
}

export const newPatternBudget = (): PatternBudget => ({ steps: STEPS_LIMIT });

/** Escapes of other languages, such as `\A` and `\p{Latin}`: without the flag `u` they would be plain letters. */
const FOREIGN_ESCAPE = /\\(?!u[\da-fA-F]{4}|x[\da-fA-F]{2})[^\W_dDwWsSbBnrtfv0]/;

/** The answer of the first reading that compiles; a huge pattern may be refused as late as in `test`. */
function attempt(pattern: string, value: string): boolean | undefined {
  for (const flags of FOREIGN_ESCAPE.test(pattern) ? ['u'] : ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(value);
    } catch {}
  }
  return undefined;
}

/** False only when a pattern that is sure to answer within the budget refuses the value. */
export function fitsPattern(pattern: string, value: string, budget = newPatternBudget()): boolean {
  const steps = mostSteps(pattern, value.length);
  if (steps > budget.steps) return true;
  budget.steps -= steps;
  return attempt(pattern, value) ?? true;
}
