import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

interface Row {
  passed: number;
  readonly failed: string[];
  readonly skipped: string[];
}

/** The outermost group of a test, which has the name of the call. */
function callOf(test: TestCase): string {
  let group: TestSuite | TestModule = test.parent;
  while (group.type === 'suite' && group.parent.type === 'suite') group = group.parent;
  return group.type === 'suite' ? group.name : 'others';
}

const WIDTH = 120;

/** The title without the numbers of statements and faults, cut to a line. */
const titleOf = ({ name }: TestCase): string =>
  name.replaceAll(/\[(?:spec|fault|resolutions|bar)[^\]]*\] ?/g, '').slice(0, WIDTH);

/** The first line of what a failed expectation says. */
const reasonOf = (message: string): string => message.split('\n')[0]?.slice(0, WIDTH) ?? '';

function add(rows: Map<string, Row>, test: TestCase): void {
  const call = callOf(test);
  const row = rows.get(call) ?? { passed: 0, failed: [], skipped: [] };
  rows.set(call, row);
  const result = test.result();
  if (result.state === 'passed') row.passed += 1;
  else if (result.state === 'failed')
    row.failed.push(`${titleOf(test)}\n        ${reasonOf(result.errors[0]?.message ?? '')}`);
  else row.skipped.push(`${titleOf(test)}: ${result.state === 'skipped' ? result.note : 'not run'}`);
}

/** Prints for each call what passes, what fails, and what could not be tried. */
export default class ContractReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    const rows = new Map<string, Row>();
    for (const testModule of modules) for (const test of testModule.children.allTests()) add(rows, test);
    const width = Math.max(...[...rows.keys()].map(({ length }) => length), 0);
    for (const [call, { passed, failed, skipped }] of rows) {
      const isMissing = skipped.length > 0 && skipped.every((text) => text.endsWith(': the call is missing'));
      const counts = isMissing
        ? 'MISSING'
        : `${passed} passed, ${failed.length} failed, ${skipped.length} not tried`;
      console.log(`${call.padEnd(width)}  ${counts}`);
      for (const text of failed) console.log(`    FAILS   ${text}`);
      if (!isMissing) for (const text of skipped) console.log(`    not tried  ${text}`);
    }
    for (const { message } of [...errors, ...modules.flatMap((each) => each.errors())]) console.log(message);
    const sum = (count: (row: Row) => number): number =>
      [...rows.values()].reduce((all, row) => all + count(row), 0);
    console.log(
      `\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed.length)} failed, ` +
        `${sum(({ skipped }) => skipped.length)} not tried`,
    );
  }
}
