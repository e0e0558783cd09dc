/*
 * Regular expressions from the server. Backtracking can take minutes (ReDoS), so the browser uses a pattern only if the
 * worst case is quick. The server checks the others.
 */

const PATTERN_LIMIT = 300;

/** A million steps of a matcher take about 10 ms. */
const STEPS_LIMIT = 2_000_000;
/** The cost of compiling, in the same steps. A Unicode class such as `\p{L}` has hundreds of ranges. */
const CHARACTER_STEPS = 30;
const PROPERTY_STEPS = 40_000;

/** Lookbehind and backreferences. */
const BACKWARDS = /\(\?<[=!]|\\[1-9k]/;
/** A repeated group can multiply the ways to match at every round. */
const REPEATED_GROUP = /\)[*+{]/;
const REPEAT = /[*+]|\{\d+,\d*\}/g;
const CHOICE = /[?|]/g;
const ANCHORED = /^\^[^|]*$/;
const COUNT = /\{(\d+)/g;

/** Replaces every escape and character class by a letter, and every group by a plain one. */
const skeletonOf = (pattern: string): string =>
  pattern
    .replace(/\\(?:[pPu]\{[^}]*\}|.)/gsu, 'a')
    .replace(/\[(?:\\.|[^\]\\])*\]?/g, 'a')
    .replace(/\(\?(?:[:=!]|<\w+>)/g, '(');

/**
 * Estimates the most steps of compiling and matching. Each repeat may end anywhere in the value, each choice doubles the
 * ways, and a pattern without `^` is tried from every character. Returns Infinity if the pattern must not be used.
 */
function maxSteps(pattern: string, length: number): number {
  const skeleton = skeletonOf(pattern);
  if (pattern.length > PATTERN_LIMIT || BACKWARDS.test(pattern) || REPEATED_GROUP.test(skeleton))
    return Number.POSITIVE_INFINITY;
  const countOf = (part: RegExp): number => skeleton.match(part)?.length ?? 0;
  const repeats = countOf(REPEAT) + (ANCHORED.test(skeleton) ? 0 : 1);
  const ways = (length + 1) ** repeats * 2 ** countOf(CHOICE);
  const counts = [...skeleton.matchAll(COUNT)].reduce((sum, [, count]) => sum + Number(count), 0);
  const properties = pattern.match(/\\p/gi)?.length ?? 0;
  const compiling = pattern.length * CHARACTER_STEPS + properties * PROPERTY_STEPS;
  return compiling + ways * (skeleton.length + counts);
}

/** The steps left for all patterns of one form validation, so that together they do not block the page. */
export interface PatternBudget {
  steps: number;
}

export const newPatternBudget = (): PatternBudget => ({ steps: STEPS_LIMIT });

/** Escapes of other regex dialects, such as `\A`. Without the flag `u` they would match as plain letters. */
const FOREIGN_ESCAPE = /\\(?!u[\da-fA-F]{4}|x[\da-fA-F]{2})[^\W_dDwWsSbBnrtfv0]/;

/** Matches with the first flags that compile. Some engines refuse a huge pattern only when `test` runs. */
function matches(pattern: string, value: string): boolean | undefined {
  for (const flags of FOREIGN_ESCAPE.test(pattern) ? ['u'] : ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(value);
    } catch {}
  }
  return undefined;
}

/** Returns false only if the value does not match. Returns true if checking could exceed the budget. */
export function fitsPattern(pattern: string, value: string, budget = newPatternBudget()): boolean {
  const steps = maxSteps(pattern, value.length);
  if (steps > budget.steps) return true;
  budget.steps -= steps;
  return matches(pattern, value) ?? true;
}
