import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError as ParseError, parse } from 'csv-parse';
import * as v from 'valibot';
import { textFile } from '#server/http/text-file.ts';

/** Excel reads a file as UTF-8 only if it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What a spreadsheet would take for a formula, also after spaces and as a wide character. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

export const isFormula = (text: string): boolean => FORMULA.test(text);

/** Texts are quoted, and those that would run as a formula get an apostrophe in front. */
const cell = (value: string | number): string =>
  typeof value === 'number'
    ? String(value)
    : `"${(isFormula(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** A line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

async function* marked(parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* parts;
}

/** Answers with a CSV file. @param name without its ending, in emails, digits and hyphens */
export const csvFile = (name: string, parts: AsyncIterable<string>): Response =>
  textFile(`${name}.csv`, 'text/csv', marked(parts));

/** A row of a CSV file, and the line of the file on which it begins, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Spreadsheets write commas, semicolons or, into the clipboard, tabs. The first line tells which. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return [',', ';', '\t'].reduce((best, next) =>
    first.split(next).length > first.split(best).length ? next : best,
  );
}

/** Takes off the apostrophe that `cell` puts before what a spreadsheet would take for a formula. */
const withoutGuard = (text: string): string =>
  text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text;

/** In characters. A mark that is never closed ends the reading here, and not at the end of the file. */
const LONGEST_ROW = 100_000;

/** In characters: what is read before others have their turn. */
const SLICE = 16_384;

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE) {
    yield text.slice(at, at + SLICE);
    await setImmediate();
  }
}

const RecordSchema = v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) });

/** Thrown where a file cannot be read on. */
export class CsvError extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number) {
    super('This line cannot be read. Is a quotation mark closed that was opened?');
    this.line = line;
  }
}

/**
 * Reads CSV (RFC 4180). Rows without any value are left out.
 * @param most how many rows are read; the others are left out
 * @throws CsvError
 */
export async function readCsv(given: string, most: number): Promise<CsvRow[]> {
  const text = given.replaceAll(/\r\n?/g, '\n');
  const parser = parse({
    bom: true,
    delimiter: separatorOf(text),
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: LONGEST_ROW,
    info: true,
    to: most,
  });
  const rows: CsvRow[] = [];
  let line = 1;
  try {
    for await (const read of Readable.from(slicesOf(text)).pipe(parser)) {
      const { record, info } = v.parse(RecordSchema, read);
      const breaks = record.join('').split('\n').length - 1;
      rows.push({ line: info.lines - breaks, cells: record.map(withoutGuard) });
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof ParseError ? new CsvError(line) : error;
  }
  return rows;
}
