/**
 * Regular expressions from the server. One that does not compile, looks behind, refers back, or could run away is
 * not used: then the server decides (resolutions 36; faults 56).
 */
const PATTERN_LIMIT = 300;
const VALUE_LIMIT = 500;
/** With two unbounded repeats 500 characters cost 250,000 steps at worst; a third would cost 125 million. */
const UNBOUNDED_LIMIT = 2;
const REPEAT_LIMIT = 1_000;

const GROUP = /\((?:\?:|\?<\w+>)?[^()]*\)/;
const REPEAT = /[*+]|\{\d+,?\d*\}/;
const REPEATED = /^(?:[*+]|\{\d+,?\d*\})/;
const UNBOUNDED = /[*+]|\{\d+,\}/g;

/** The pattern without what is literal: escapes and character classes become a letter. */
const skeleton = (pattern: string): string =>
  pattern.replace(/\\./g, 'a').replace(/\[(?:\\.|[^\]\\])*\]/g, 'a');

const hasHugeRepeat = (shape: string): boolean =>
  [...shape.matchAll(/\{(\d+),?(\d*)\}/g)].some(
    ([, low, high]) => Number(low) > REPEAT_LIMIT || Number(high) > REPEAT_LIMIT,
  );

/** Whether a repeated group repeats or chooses inside: the shape that backtracks exponentially. */
function hasNestedRepeat(shape: string): boolean {
  let rest = shape;
  for (let group = GROUP.exec(rest); group; group = GROUP.exec(rest)) {
    const inside = group[0];
    const after = rest.slice(group.index + inside.length);
    const risky = REPEAT.test(inside) || inside.includes('|') || inside.slice(1).includes('?');
    if (risky && REPEATED.test(after)) return true;
    // A group that repeats or chooses leaves a mark, so that an outer repeat is seen as nested.
    rest = `${rest.slice(0, group.index)}${REPEAT.test(inside) ? 'a+' : 'a'}${after}`;
  }
  return false;
}

export function safePattern(pattern: string): RegExp | undefined {
  if (pattern.length > PATTERN_LIMIT || /\(\?(?:<?[=!])|\\[1-9]|\\k/.test(pattern)) return undefined;
  const shape = skeleton(pattern);
  if ((shape.match(UNBOUNDED) ?? []).length > UNBOUNDED_LIMIT) return undefined;
  if (hasHugeRepeat(shape) || hasNestedRepeat(shape)) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch {
      return undefined;
    }
  }
}

/** False only when a usable pattern refuses the value. */
export function fitsPattern(pattern: string, value: string): boolean {
  if (value.length > VALUE_LIMIT) return true;
  return safePattern(pattern)?.test(value) ?? true;
}
