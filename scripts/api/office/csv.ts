/** Excel reads a file as UTF-8 only if it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet would take for a formula, also after spaces and as a wide character. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

export const isFormula = (text: string): boolean => FORMULA.test(text);

/** Texts are quoted, and those that would run as a formula get an apostrophe in front (faults 103). */
const cell = (value: string | number): string =>
  typeof value === 'number'
    ? String(value)
    : `"${(isFormula(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

/**
 * Answers with a CSV file that is made while it is sent. If that fails, the connection breaks, so that nobody takes a part
 * for the whole. @param name without its ending, in letters, digits and hyphens
 */
export function csvFile(name: string, parts: AsyncIterator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(BYTE_ORDER_MARK));
    },
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
}

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
