import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError as ParseError, parse } from 'csv-parse';
import * as v from 'valibot';
import { foldText } from '#domain/fold-text.ts';
import { textFile } from '#server/http/documents.ts';

/** Excel reads a file as UTF-8 only with this mark at its start. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets also run formulas after spaces and with full-width characters. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** A formula that begins a cell in a spreadsheet with another separator, and the apostrophe of `cell`, if any. */
const INNER_FORMULA = /([;\t\r\n])('?)(?='*[^\S;\t\r\n]*[=+\-@＝＋－＠])/g;

/** Digits, signs, and the words of dates and times: what Excel, LibreOffice and Gnumeric read as another value. */
const NUMBER_OR_DATE =
  /^(?:[^\p{L}]|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|jun|jul(?:y)?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|[ap]m?|e|t)+$/iu;

/** Spreadsheets save these numbers unchanged. Excel saves longer ones as 1.2E+11. */
const WHOLE = /^(?:0|[1-9]\d{0,10})$/;

const OTHER_VALUE = /^(?:true|false|#[a-z/]+[\d!?]?)$/i;

/** Whether a spreadsheet would run the text, or save it changed, such as 411 for 0411, or 12-Mar for 12/3. */
const isMisread = (text: string): boolean =>
  FORMULA.test(text) ||
  OTHER_VALUE.test(text) ||
  (/\d/.test(text) && NUMBER_OR_DATE.test(text) && !WHOLE.test(text));

/** Spreadsheets read a text literally, and `plain` as a number or a time. */
export type Cell = string | number | { readonly plain: string };

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** An apostrophe in front keeps spreadsheets from reading a text as another value. */
function cell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return quoted(value.plain);
  const text = value.replaceAll(INNER_FORMULA, "$1'$2");
  return quoted(isMisread(value) ? `'${text}` : text);
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`;

async function* withByteOrderMark(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* parts;
}

/** Answers with a CSV file. @param name without its ending, in letters, digits and hyphens */
export const csvFile = (name: string, parts: AsyncIterable<string>): Response =>
  textFile(`${name}.csv`, 'text/csv', withByteOrderMark(parts));

export interface CsvRow {
  /** Where the row begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What separates the cells of a row: spreadsheets write commas, semicolons or, into the clipboard, tabs. */
export const SEPARATORS = [',', ';', '\t', '|'];

/** Guesses the separator from the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return SEPARATORS.reduce((best, next) =>
    first.split(next).length > first.split(best).length ? next : best,
  );
}

/** Removes the apostrophes of `cell`. */
function withoutApostrophe(given: string): string {
  const text = given.replaceAll(INNER_FORMULA, '$1');
  return text.startsWith("'") && isMisread(text.slice(1)) ? text.slice(1) : text;
}

/** In characters. Stops at a quotation mark that is never closed, long before the end of the file. */
const MAX_ROW_LENGTH = 100_000;

/** In characters. Other requests run between two slices. */
const SLICE = 16_384;

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE) {
    yield text.slice(at, at + SLICE);
    await setImmediate();
  }
}

const RecordSchema = v.object({
  record: v.array(v.string()),
  raw: v.string(),
  info: v.object({ lines: v.number() }),
});

/** Returns the index of a cell with quotation marks that are not doubled, -1 without one. The parser keeps the first of them. */
function badlyQuoted(cells: readonly string[], raw: string): number {
  let at = 0;
  return cells.findIndex((text) => {
    if (text.startsWith('"')) at = raw.indexOf(quoted(text), at);
    return at < 0;
  });
}

export class CsvError extends Error {
  /** From 1. */
  readonly line: number;

  constructor(
    line: number,
    message = 'This line cannot be read. Is a quotation mark closed that was opened?',
  ) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads CSV (RFC 4180). Skips empty rows.
 * @param max the number of rows to read; later rows are ignored
 * @param maxLength of a row, in characters
 * @param separator guessed by default
 * @throws CsvError
 */
export async function readCsv(
  given: string,
  max: number,
  maxLength = MAX_ROW_LENGTH,
  separator?: string,
): Promise<CsvRow[]> {
  const text = given.replaceAll(/\r\n?/g, '\n');
  const parser = parse({
    bom: true,
    delimiter: separator ?? separatorOf(text),
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: maxLength,
    info: true,
    raw: true,
    to: max,
  });
  const rows: CsvRow[] = [];
  let line = 1;
  try {
    for await (const read of Readable.from(slicesOf(text)).pipe(parser)) {
      const { record, raw, info } = v.parse(RecordSchema, read);
      const breaks = record.join('').split('\n').length - 1;
      line = info.lines - breaks;
      const wrong = badlyQuoted(record, raw);
      if (wrong >= 0)
        throw new CsvError(line, `In column ${wrong + 1}, double each quotation mark inside the cell.`);
      rows.push({ line, cells: record.map(withoutApostrophe) });
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof ParseError ? new CsvError(line) : error;
  }
  return rows;
}

/**
 * Reads CSV with the names of its columns in the first row. Returns them in lower case with single spaces, and the
 * trimmed cells of each row by them. @param max the number of other rows @throws CsvError
 */
export async function readTable(text: string, max: number, maxLength?: number) {
  const [head, ...body] = await readCsv(text, max + 2, maxLength);
  if (body.length > max) throw new CsvError(max, `There are more than ${max} rows.`);
  const heads = (head?.cells ?? []).map((cell) => foldText(cell).replaceAll(/[\s_]+/g, ' '));
  const rows = body.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(heads.map((name, place) => [name, cells[place]?.trim() ?? ''])),
  }));
  return { heads, rows };
}
