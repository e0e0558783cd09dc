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
