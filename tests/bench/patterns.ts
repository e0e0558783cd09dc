import fc from 'fast-check';
import { fitsPattern } from '#domain/pattern.ts';
import { validatePaymentForm } from '#domain/payment-form.ts';
import { aField } from '#tests/support/payment-field.ts';
import { PATTERN_PIECES, RUNAWAY_VALUES, RUNAWAYS } from '#tests/support/runaways.ts';
import type { Row } from './table.ts';

const BAR_MS = 50;
const MADE = 5_000;
const ROUNDS = 3;

/** As many as a form may have. */
const FIELDS = 100;
/** What costs a form of them the most: matching near the limit, compiling, reading. */
const COSTLY: readonly string[] = [
  '^a*a*a*$',
  '^a+a+$',
  '\\p{L}'.repeat(55),
  '[\\p{L}\\p{N}]'.repeat(20),
  '(?:a{20})'.repeat(30),
  '(?:a{70}){70}',
  '['.repeat(290),
  'a*'.repeat(145),
];
const LONG_VALUES: readonly string[] = [`${'a'.repeat(60)}!`, `${'a'.repeat(1_400)}!`, 'a'.repeat(1_000_000)];

interface Worst {
  readonly ms: number;
  readonly pattern: string;
}

/** What else the machine does only ever adds time. */
function quickest(work: () => unknown): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    work();
    ms = Math.min(ms, performance.now() - started);
  }
  return ms;
}

function worstOf(
  patterns: readonly string[],
  values: readonly string[],
  judge: (pattern: string, value: string) => unknown,
): Worst {
  let worst = { ms: 0, pattern: '' };
  for (const pattern of patterns) {
    for (const value of values) {
      const ms = quickest(() => judge(pattern, value));
      if (ms > worst.ms) worst = { ms, pattern };
    }
  }
  return worst;
}

let made = 0;

/** No two patterns are the same text, in no round: an engine keeps what it has compiled. */
function judgeForm(pattern: string, value: string): unknown {
  const fields = Array.from({ length: FIELDS }, () => {
    made += 1;
    return aField({ name: `${made}`, rules: { required: false, pattern: pattern + made } });
  });
  return validatePaymentForm(fields, new Map(fields.map(({ name }) => [name, value])));
}

const row = (what: string, { ms, pattern }: Worst, of: readonly string[]): Row => ({
  what,
  value: ms,
  unit: 'ms',
  bar: BAR_MS,
  note: `of ${of.length}: ${pattern}`,
});

/** The longest that patterns from the server block the page: one alone, and a form full of them (faults 56). */
export function measurePatterns(): Row[] {
  const pieces = fc.array(fc.constantFrom(...PATTERN_PIECES), { maxLength: 39 });
  const made = fc.sample(pieces, { seed: 1, numRuns: MADE }).map((each) => each.join(''));
  const patterns = [...RUNAWAYS, ...made];
  const costly = [...RUNAWAYS, ...COSTLY];
  return [
    row('a pattern of the server, worst', worstOf(patterns, RUNAWAY_VALUES, fitsPattern), patterns),
    row(
      `a form of ${FIELDS} patterns, worst`,
      worstOf(costly, [...RUNAWAY_VALUES, ...LONG_VALUES], judgeForm),
      costly,
    ),
  ];
}
