import { isFormula } from '#scripts/api/office/csv.ts';

/** A row of a CSV file, and the line of the file on which it begins, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Spreadsheets write commas, semicolons or, into the clipboard, tabs. The first line tells which. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  return [',', ';', '\t'].reduce((best, next) =>
    first.split(next).length > first.split(best).length ? next : best,
  );
}

/** Takes off the apostrophe that `csv.ts` puts before what a spreadsheet would take for a formula. */
const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

/** Reads CSV (RFC 4180). Rows without any value are left out. */
export function readCsv(given: string): CsvRow[] {
  const text = given.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [cell, isQuoted, line, start] = ['', false, 1, 1];

  function endCell(): void {
    cells.push(withoutGuard(cell));
    cell = '';
  }
  function endRow(): void {
    endCell();
    if (cells.some((value) => value.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
    start = line;
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const isBreak = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isBreak) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      cell = '';
      isQuoted = true;
    } else if (character === separator) endCell();
    else if (isBreak) endRow();
    else if (character !== '\r') cell += character;
  }
  endRow();
  return rows;
}
