/** A figure, with that of another commit if there is one to compare with. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly value: number | undefined;
  readonly other?: number | undefined;
  readonly note?: string;
}

const rounded = (value: number): number => Number(value.toPrecision(value < 100 ? 3 : 5));

export const printTable = (rows: readonly Row[]): void =>
  console.table(
    rows.map(({ what, unit, value = Number.NaN, other, note }) => ({
      figure: what,
      here: rounded(value),
      unit,
      ...(other === undefined ? {} : { other: rounded(other), ratio: rounded(value / other) }),
      ...(note === undefined ? {} : { note }),
    })),
  );

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

export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
