/** A figure, with that of another commit if there is one to compare with. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly other?: number | undefined;
  readonly note?: string;
}

const shown = (value: number | undefined): string => {
  if (value === undefined) return '';
  return String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100);
};

export function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const line = ([what = '', value = '', unit = '', other = '', ratio = '', note = '']: string[]): void =>
    console.log(
      [what.padEnd(width), value.padStart(9), unit.padEnd(9), other.padStart(9), ratio.padStart(6), note]
        .join(' ')
        .trimEnd(),
    );
  line(['', 'here', '', 'other', 'ratio']);
  for (const { what, unit, value, other, note } of rows)
    line([what, shown(value), unit, shown(other), other ? (value / other).toFixed(2) : '', note ?? '']);
}

/** Measures in turns (A, B, A, B …), so that a slow moment slows all targets. Returns results by target. */
export async function inTurns<Target, Result>(
  targets: readonly Target[],
  rounds: number,
  measure: (target: Target) => Promise<Result>,
): Promise<Result[][]> {
  const results = targets.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, target] of targets.entries()) results[index]?.push(await measure(target));
  return results;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
