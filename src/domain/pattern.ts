/**
 * Regular expressions from the server. One that does not compile, looks behind, refers back, or could run away on
 * the value at hand is not used: then the server decides (resolutions 36; faults 56).
 */
const PATTERN_LIMIT = 300;
/** Steps a backtracking matcher may need at worst; a million take about 10 ms. */
const STEPS_LIMIT = 2_000_000;
/** What compiling takes, in such steps: a class of Unicode (`\p{L}`) has hundreds of ranges. */
const CHARACTER_STEPS = 30;
const PROPERTY_STEPS = 40_000;
/** The matcher writes bounded repeats out: what a pattern may grow to. */
const SIZE_LIMIT = 5_000;

/** Upper bounds for a piece of a pattern: ways to match it, and its size once its repeats are written out. */
interface Cost {
  readonly ways: number;
  readonly size: number;
}

const UNIT: Cost = { ways: 1, size: 1 };

/** The pattern without what is literal: escapes and character classes, closed or not, become a letter. */
const skeleton = (pattern: string): string =>
  pattern.replace(/\\(?:[pPuk]\{[^}]*\}|.)/gsu, 'a').replace(/\[(?:\\.|[^\]\\])*\]?/g, 'a');

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/;
const GROUP_OPENING = /^\((?:\?(?:[:=!]|<\w+>))?/;

function repeatRange([, sign, low, comma, high]: RegExpExecArray): [number, number] {
  if (sign === '?') return [0, 1];
  if (sign) return [sign === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
  return [Number(low), comma ? Number(high || Number.POSITIVE_INFINITY) : Number(low)];
}

/** The sum of `ways ** count` from low to most, as far as it matters. */
function waysToRepeat(ways: number, low: number, most: number): number {
  // Counted one by one, a long value would block the page before any pattern ran.
  if (ways === 1) return most - low + 1;
  let sum = 0;
  for (let count = low; count <= most && sum <= STEPS_LIMIT; count += 1) sum += ways ** count;
  return sum;
}

/** `piece` repeated from low to high times, over `length` characters at most. */
function repeat({ ways, size }: Cost, [low, high]: readonly [number, number], length: number): Cost {
  const most = Math.max(low, Math.min(high, length));
  return {
    ways: waysToRepeat(ways, low, most),
    size: size * (Number.isFinite(high) ? Math.max(1, high) : low + 1),
  };
}

/** Reads a skeleton from the left; alternatives add up, a sequence multiplies. */
class Estimate {
  private rest: string;
  private readonly length: number;

  constructor(shape: string, length: number) {
    this.rest = shape;
    this.length = length;
  }

  whole(): Cost | undefined {
    const cost = this.choice();
    return this.rest === '' ? cost : undefined;
  }

  private choice(): Cost {
    let cost = this.sequence();
    while (this.take('|')) {
      const next = this.sequence();
      cost = { ways: cost.ways + next.ways, size: cost.size + next.size };
    }
    return cost;
  }

  private sequence(): Cost {
    let cost = UNIT;
    while (this.rest !== '' && this.rest[0] !== '|' && this.rest[0] !== ')') {
      const piece = this.piece();
      const quantifier = QUANTIFIER.exec(this.rest);
      this.rest = this.rest.slice(quantifier?.[0].length ?? 0);
      const next = quantifier ? repeat(piece, repeatRange(quantifier), this.length) : piece;
      cost = { ways: cost.ways * next.ways, size: cost.size + next.size };
    }
    return cost;
  }

  private piece(): Cost {
    const opening = GROUP_OPENING.exec(this.rest)?.[0];
    if (!opening) {
      this.rest = this.rest.slice(1);
      return UNIT;
    }
    this.rest = this.rest.slice(opening.length);
    const cost = this.choice();
    return this.take(')') ? cost : { ways: Number.POSITIVE_INFINITY, size: cost.size };
  }

  private take(character: string): boolean {
    if (this.rest[0] !== character) return false;
    this.rest = this.rest.slice(1);
    return true;
  }
}

/** An upper bound for compiling and matching; Infinity where the pattern is not to be used. */
function stepsAtWorst(pattern: string, length: number): number {
  if (pattern.length > PATTERN_LIMIT || /\(\?<[=!]|\\[1-9]|\\k/.test(pattern))
    return Number.POSITIVE_INFINITY;
  const shape = skeleton(pattern);
  const cost = new Estimate(shape, length).whole();
  if (!cost || cost.size > SIZE_LIMIT) return Number.POSITIVE_INFINITY;
  const properties = pattern.match(/\\p/gi)?.length ?? 0;
  const starts = shape.startsWith('^') && !shape.includes('|') ? 1 : length + 1;
  return (
    pattern.length * CHARACTER_STEPS +
    properties * PROPERTY_STEPS +
    cost.ways * starts * Math.min(cost.size, length + shape.length)
  );
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
  const steps = stepsAtWorst(pattern, value.length);
  if (steps > budget.steps) return true;
  budget.steps -= steps;
  return attempt(pattern, value) ?? true;
}
