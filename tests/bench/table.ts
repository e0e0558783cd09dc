/** One figure with its bar, and with the figure of another commit if there is one to compare with. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Undefined if the figure has no bar. */
  readonly bar?: number | undefined;
  /** Whether more is better; by default less is. */
  readonly more?: boolean;
  /** The value of the other commit. */
  readonly other?: number;
  /** The bar for value / other. */
  readonly ratioBar?: number | undefined;
  readonly note?: string;
}

/** Makes a row of the values of this build and, if there is one, of the other commit's build. */
export const compared = (
  row: Omit<Row, 'value' | 'other'>,
  [value = Number.NaN, other]: readonly number[],
): Row => ({ ...row, value, ...(other === undefined ? {} : { other }) });

/** A figure that misses its bar by no more than this share is only 'within a tenth'. */
const TOLERANCE = 0.1;
const VERDICTS = ['', 'met', 'within a tenth', 'NOT MET'] as const;
type Verdict = (typeof VERDICTS)[number];

const judge = (value: number, bar: number | undefined, more = false): Verdict => {
  if (bar === undefined) return '';
  const fits = (limit: number): boolean => (more ? value >= limit : value <= limit);
  if (fits(bar)) return 'met';
  return fits(bar * (more ? 1 - TOLERANCE : 1 + TOLERANCE)) ? 'within a tenth' : 'NOT MET';
};

const ratioOf = ({ value, other }: Row): number | undefined => (other ? value / other : undefined);

/** The worse of the verdicts by the bar and by the ratio's bar; '' if there is no bar. */
export const verdictOf = (row: Row): Verdict => {
  const ratio = ratioOf(row);
  const verdicts = [
    judge(row.value, row.bar, row.more),
    ratio === undefined ? '' : judge(ratio, row.ratioBar, row.more),
  ];
  return VERDICTS.findLast((verdict) => verdicts.includes(verdict)) ?? '';
};

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toString() : String(Math.round(value * 100) / 100);

const limit = (bar: number | undefined, more = false): string =>
  bar === undefined ? '' : `${more ? '≥' : '≤'} ${number(bar)}`;

/** Pads the cells of a line: what, figure, unit, bar, the other commit's figure, ratio, its bar, verdict and note. */
function line(width: number, isCompared: boolean, cells: readonly (string | undefined)[]): string {
  const [what = '', value = '', unit = '', bar = '', other = '', ratio = '', ratioBar = '', ...rest] = cells;
  const [verdict = '', note = ''] = rest;
  const figure = [what.padEnd(width), value.padStart(8), unit.padEnd(8), bar.padStart(8)];
  const comparison = isCompared ? [other.padStart(8), ratio.padStart(6), ratioBar.padStart(6)] : [];
  return [...figure, ...comparison, ` ${verdict.padEnd(14)}`, note].join(' ').trimEnd();
}

export function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const isCompared = rows.some(({ other }) => other !== undefined);
  console.log(line(width, isCompared, ['', 'figure', '', 'bar', 'other', 'ratio', 'bar']));
  for (const row of rows) {
    const { what, value, unit, bar, more, other, ratioBar, note } = row;
    const cells = [
      what,
      number(value),
      unit,
      limit(bar, more),
      other === undefined ? '' : number(other),
      ratioOf(row)?.toFixed(2),
      limit(ratioBar, more),
      verdictOf(row),
      note,
    ];
    console.log(line(width, isCompared, cells));
  }
}
