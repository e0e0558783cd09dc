import { readFileSync } from 'node:fs';

/** A line of the shop that protects from a fault: `from` in `file` becomes `to`, and then the tests of `test` must fail. */
export type Protection = Readonly<Record<'fault' | 'file' | 'test' | 'from' | 'to', string>>;

const linesWith = (sign: string, lines: readonly string[]): string =>
  lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : [])).join('\n');

/** The table of `protections.diff`. */
export const readProtections = (): Protection[] =>
  readFileSync('tests/mutation/protections.diff', 'utf8')
    .split(/^@@ /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.split('\n');
      const [fault = '', file = '', test = ''] = head.split(' ');
      return { fault, file, test, from: linesWith('-', lines), to: linesWith('+', lines) };
    });
