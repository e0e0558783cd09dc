import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
const RULES = ['public-means.grit', 'insert-columns.grit'];

const project = mkdtempSync(join(tmpdir(), 'public-means-'));
afterAll(() => rmSync(project, { recursive: true }));
for (const rule of RULES) cpSync(join(ROOT, 'scripts/check', rule), join(project, rule));
writeFileSync(join(project, 'biome.json'), JSON.stringify({ plugins: RULES.map((rule) => `./${rule}`) }));
mkdirSync(join(project, 'src'));

/** What the rules say of the code, '' where they say nothing. */
function findings(code: string): string {
  writeFileSync(join(project, 'src/a.ts'), code);
  try {
    execFileSync(process.execPath, [BIOME, 'lint', 'src', '--reporter=github'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return '';
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
  }
}

test.each([
  [
    'a transform of a file inside Astro',
    'export const id = /\\/astro\\/dist\\/entrypoints\\/prerender\\.js$/;',
  ],
  ["Astro's own set-up", 'export const start = (app: App) => app.setInternals({});'],
  ['another Response for all', 'class Other extends Response {}\nglobalThis.Response = Other;'],
  ['another localStorage', "Object.defineProperty(globalThis, 'localStorage', { value: undefined });"],
  ['a pattern over islands', 'export const ISLAND = /<astro-island\\b[^>]*>/g;'],
  ['built code that is edited', "export const edit = (chunk: Chunk) => { chunk.code = ''; };"],
  ["React's private fields", "export const key = '__reactContainer$';"],
  ['an import of the inside of a package', "export { x } from 'astro/runtime/prerender/static-paths.js';"],
])('the linter refuses %s', (_, code) => {
  expect(findings(code)).toContain('Public means only');
});

test('it lets documented means be', () => {
  expect(
    findings("import { defineConfig } from 'astro/config';\nexport default defineConfig({});\n"),
  ).not.toContain('Public means only');
});

test('it refuses an INSERT without columns alone', () => {
  const insert = (columns: string): string =>
    findings(`export const sql = 'INSERT INTO meta${columns} VALUES (?, ?)';\n`);
  expect(insert('')).toContain('names no columns');
  expect(insert(' (name, value)')).not.toContain('names no columns');
});
