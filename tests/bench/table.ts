/** One figure beside its bar, and beside another commit's where it is compared with one. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Undefined where there is no bar, only a figure. */
  readonly bar?: number | undefined;
  /** Whether more is better; less is, unless said. */
  readonly more?: boolean;
  /** The same of the other commit. */
  readonly other?: number;
  /** What value / other may be. */
  readonly ratioBar?: number | undefined;
  readonly note?: string;
}

/** A row of what each build gave: this one, and the other commit's where there is one. */
export const compared = (
  row: Omit<Row, 'value' | 'other'>,
  [value = Number.NaN, other]: readonly number[],
): Row => ({ ...row, value, ...(other === undefined ? {} : { other }) });

/** A figure that misses its bar by less has its own mark. */
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

/** The worse of what the bar and the ratio's bar say; '' where there is neither. */
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

/** The cells of a line, in their columns: figure, unit, bar, other commit's figure, ratio, its bar, verdict and note. */
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
