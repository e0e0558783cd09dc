/** Patterns that take a backtracking matcher minutes or more. */
export const RUNAWAYS: readonly string[] = [
  '^(a+)+$',
  '(a|a)*$',
  '^(a|aa)+$',
  '(?:(?:a|b)?c?){20}d',
  'a?'.repeat(30) + 'a'.repeat(30),
  '(a|a)'.repeat(50),
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '.*.*.*x',
  'a{1,1000}a{1,1000}a{1,1000}b',
  '((a{100}){100}){100}',
  '(a{99}){40}b',
  '^(?:\\w+\\s?)*$',
  '(a*?)*?b',
  '(|a)+b',
  '^(?=(a+)+$)b',
  '^(\\p{1,30})+$',
];

/** Values on which these patterns backtrack without end. */
export const RUNAWAY_VALUES: readonly string[] = [
  `${'a'.repeat(28)}!`,
  `${'ab'.repeat(300)}!`,
  `${'a'.repeat(10_000)}!`,
  `${'p'.repeat(28)}!`,
];

/** Pieces from which random patterns are made. */
export const PATTERN_PIECES: readonly string[] = [
  ...['a', 'b', '.', '\\d', '[ab]', '(', '(?:', ')', '|', '*', '+', '?'],
  ...['{2,}', '{1,50}', '{30}', '^', '$'],
];
