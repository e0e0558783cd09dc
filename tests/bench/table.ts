/** One figure beside its bar. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Undefined where there is no bar, only a figure. */
  readonly bar?: number;
  /** Whether more is better; less is, unless said. */
  readonly more?: boolean;
  readonly note?: string;
}

export const isMet = ({ value, bar, more }: Row): boolean =>
  bar === undefined || (more ? value >= bar : value <= bar);

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toString() : String(Math.round(value * 100) / 100);

export function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const row of rows) {
    const { what, value, unit, bar, more, note } = row;
    const verdict = bar === undefined ? '' : isMet(row) ? 'met' : 'NOT MET';
    const limit = bar === undefined ? '' : `${more ? '≥' : '≤'} ${number(bar)}`;
    console.log(
      `${what.padEnd(width)}  ${number(value).padStart(9)} ${unit.padEnd(7)} ${limit.padStart(9)}  ${verdict.padEnd(7)} ${note ?? ''}`.trimEnd(),
    );
  }
}
