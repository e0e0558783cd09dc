/**
 * `npm run mutation:browser`: takes protections away that a browser sees, in a copy; those of one build do not touch each
 * other's test. Each test named here must fail.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Protection = readonly [
  fault: number,
  file: string,
  from: string,
  to: string,
  test: string,
  title: string,
];

const ONE_ORDER = 'tests/e2e/one-order.test.ts';
const CHECKOUT = 'src/stores/checkout.ts';

const BUILDS: readonly (readonly Protection[])[] = [
  [
    [
      18,
      'src/islands/checkout/CheckoutForm.tsx',
      'inactive={!online}',
      'inactive={false}',
      'tests/e2e/checkout.test.ts',
      'offline, ordering waits',
    ],
    [
      19,
      'src/stores/place-order.ts',
      "return { kind: 'unknown' };",
      "return { kind: 'refused', failure };",
      ONE_ORDER,
      'nobody can say',
    ],
    [
      30,
      'src/stores/cart.ts',
      'watchStored(CART_KEY, refresh);',
      '',
      'tests/faults/two-tabs.test.ts',
      'what one tab clears',
    ],
    [
      31,
      CHECKOUT,
      'if (placedElsewhere !== undefined) {',
      "if (placedElsewhere === '-') {",
      ONE_ORDER,
      'ordered in one tab',
    ],
    [35, CHECKOUT, '  keepDraft(address);\n', '', ONE_ORDER, 'signed out in mid-checkout'],
    [
      36,
      'src/components/shell/header.ts',
      "classList.toggle('signed-in', hasToken())",
      "classList.contains('signed-in')",
      'tests/e2e/shell.test.ts',
      'signed out in another tab',
    ],
    [
      47,
      'src/components/product/detail.ts',
      'element.textContent = text',
      'element.innerHTML = text',
      'tests/faults/hostile-content.test.ts',
      'a hostile product and listing',
    ],
    [
      89,
      'src/components/shell/stale.ts',
      '.then((gone) => gone && mend())',
      '.then(() => mend())',
      'tests/faults/chunks.test.ts',
      'while every script is there',
    ],
  ],
];

const sandbox = resolve('.cache/browser-protections');
const PARTS = ['src', 'scripts', 'tests', 'public', 'package.json', 'tsconfig.json', 'astro.config.mjs'];

let [seen, all] = [0, 0];
for (const protections of BUILDS) {
  rmSync(sandbox, { recursive: true, force: true });
  for (const part of PARTS) cpSync(part, join(sandbox, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(sandbox, 'node_modules'));
  for (const [fault, file, from, to] of protections) {
    const path = join(sandbox, file);
    const source = readFileSync(path, 'utf8');
    if (!source.includes(from)) throw new Error(`Fault ${fault}: ${file} no longer holds ${from}`);
    writeFileSync(
      path,
      source.replaceAll(from, () => to),
    );
  }
  const titles = protections.map(([, , , , , title]) => title.replace(/[[\]().]/g, '\\$&'));
  const files = new Set(protections.map(([, , , , test]) => test));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/playwright/cli.js',
      'test',
      '--config=tests/playwright.config.ts',
      '--retries=0',
      `--grep=${titles.join('|')}`,
      ...files,
    ],
    { cwd: sandbox, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', SITE_DIST: '' } },
  );
  for (const [fault, file, from, , , title] of protections) {
    all += 1;
    const line = stdout.split('\n').find((each) => /^ +[✘✓x] /.test(each) && each.includes(title));
    const failed = /^ +[✘x] /.test(line ?? '');
    if (failed) seen += 1;
    console.log(
      `${String(fault).padStart(3)}  ${failed ? 'fails' : line ? 'NOT SEEN' : 'NOT RUN'}  ${file}: ${from.slice(0, 60).trim()}  →  ${title}`,
    );
    if (!line) console.log((stdout + stderr).slice(-3_000));
  }
}
console.log(`${seen} of ${all} seen to fail in a browser`);
process.exitCode = seen === all ? 0 : 1;
