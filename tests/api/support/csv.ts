/** Reads a CSV file as a spreadsheet does (RFC 4180). */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  // A cell, quoted or not, and what ends it.
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
