import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Returns the uses without a fallback that the check finds in a file. */
function missingIn(name: string, content: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'browsers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  const { stderr } = spawnSync(process.execPath, ['scripts/check/browsers.ts', folder], { encoding: 'utf8' });
  return [...stderr.matchAll(/^(.+) \(\S+\) is missing in /gm)].map(([, use = '']) => use);
}

test('finds what an oldest served browser lacks, in scripts, sheets and elements', () => {
  const script = `
    const next = URL.parse(text, base), sorted = list.toSorted(), all = Set.prototype.union;
    menu.showPopover(); queueMicrotask(() => requestIdleCallback(run)); menu.setAttribute(\`popover\`, '');
    new Intl.DurationFormat(); jsx('div', { popover: 'auto' }); /[a--b]/v.test(text);`;
  expect(missingIn('a.js', script)).toEqual(
    expect.arrayContaining([
      'api.URL.parse_static',
      'javascript.builtins.Array.toSorted',
      'javascript.builtins.Set.union',
      'api.HTMLElement.showPopover',
      'api.Window.requestIdleCallback',
      '[popover]',
      'javascript.builtins.Intl.DurationFormat',
      'div[popover]',
      '/[a--b]/v',
    ]),
  );
  const page = `<p popover>A</p><style>.a:popover-open, .b:has(.c) { color: light-dark(red, blue) }</style>
    <script>self.css = '.a{position-anchor:--b}'; text.isWellFormed()</script>`;
  expect(missingIn('a.html', page)).toEqual(
    expect.arrayContaining([
      'p[popover]',
      ':popover-open',
      ':has(.c)',
      'light-dark(red,blue)',
      'position-anchor',
      'javascript.builtins.String.isWellFormed',
    ]),
  );
});

test('accepts what a script tests and a sheet wraps', () => {
  const script = `
    const next = URL.parse ? URL.parse(text) : undefined; list.toSorted?.();
    if (\`requestIdleCallback\` in globalThis) requestIdleCallback(run);
    AbortSignal.any ??= () => {}; AbortSignal.any([]); globalThis.cookieStore?.get('a'); JSON.parse(text);`;
  expect(missingIn('a.js', script)).toEqual([]);
  const sheet = `.a:is(:popover-open, .b) { color: red } @supports (color: light-dark(red, red)) {
    .c:has(.d) { color: light-dark(red, blue) } }`;
  expect(missingIn('a.css', sheet)).toEqual([]);
});
