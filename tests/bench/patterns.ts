import { fitsPattern } from '#domain/pattern.ts';
import { createRandom } from '#tests/fuzz/random.ts';
import { PATTERN_PIECES, RUNAWAY_VALUES, RUNAWAYS } from '#tests/support/runaways.ts';
import type { Row } from './table.ts';

const BAR_MS = 50;
const MADE = 5_000;
const ROUNDS = 3;

/** What else the machine does only ever adds time. */
function quickest(pattern: string, value: string): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    fitsPattern(pattern, value);
    ms = Math.min(ms, performance.now() - started);
  }
  return ms;
}

/** The longest that a pattern from the server blocks the page (faults 56). */
export function measurePatterns(): Row[] {
  const random = createRandom(1);
  const make = (): string =>
    Array.from({ length: random.below(40) }, () => random.pick(PATTERN_PIECES)).join('');
  const patterns = [...RUNAWAYS, ...Array.from({ length: MADE }, make)];
  let worst = { ms: 0, pattern: '' };
  for (const pattern of patterns) {
    for (const value of RUNAWAY_VALUES) {
      const ms = quickest(pattern, value);
      if (ms > worst.ms) worst = { ms, pattern };
    }
  }
  return [
    {
      what: 'a pattern of the server, worst',
      value: worst.ms,
      unit: 'ms',
      bar: BAR_MS,
      note: `of ${patterns.length}: ${worst.pattern}`,
    },
  ];
}
