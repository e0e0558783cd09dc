import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

const astro = (line: string): string => `---\n${line}\n---\n<p>text</p>\n`;

const forbidden: [path: string, source: string, says: string][] = [
  ['src/stores/a.ts', "import '../domain/cart.ts';", 'Across folders use'],
  ['tests/unit/a.test.ts', "import '../../src/domain/cart.ts';", 'Across folders use'],
  ['src/components/A.astro', astro("import '../domain/cart.ts';"), 'Across folders use'],
  ['src/components/A.astro', "<script>\nimport '../domain/cart.ts';\n</script>\n", 'Across folders use'],
  ['src/domain/a.ts', "import '#api/client.ts';", 'domain imports nothing'],
  ['src/domain/a.ts', "import 'valibot';", 'domain imports nothing'],
  ['src/domain/a.ts', "export * from '#site.ts';", 'domain imports nothing'],
  ['src/catalogue/a.ts', "import '#components/product/card.ts';", 'What the build knows comes from'],
  ['src/components/a.ts', "import '#catalogue/catalogue.ts';", 'is not in the browser'],
  ['src/components/a.ts', "import '#layouts/Main.astro';", 'is not in the browser'],
  ['src/layouts/A.astro', astro("import Cart from '#islands/cart/Cart.tsx';"), 'pages →'],
  ['src/messages/a.ts', "import '#stores/cart/cart.ts';", 'Only its own folder and domain'],
  ['scripts/publish/a.ts', "import '#stores/cart/cart.ts';", 'Scripts share with the site only'],
  ['src/domain/a.ts', "import type { A } from '#stores/cart/cart.ts';", 'domain imports nothing'],
  ['src/api/a.ts', "import '#stores/cart/cart.ts';", 'pages →'],
  ['src/stores/a.ts', "import '#islands/ui/button.tsx';", 'pages →'],
  ['src/stores/a.ts', "import 'react';", 'Stores know no React'],
  ['src/stores/a.ts', "import 'ky';", 'Only src/api speaks HTTP'],
  ['src/stores/a.ts', "await fetch('/x');", 'global variable fetch'],
  ['src/components/A.astro', "<script>\nawait fetch('/x');\n</script>\n", 'global variable fetch'],
  ['src/islands/cart/A.tsx', "import '#islands/auth/LoginForm.tsx';", 'An island never imports another'],
  ['src/islands/ui/A.tsx', "import '#islands/cart/Cart.tsx';", 'An island never imports another'],
  ['src/islands/cart/A.tsx', "import '#components/Price.astro';", 'pages →'],
  ['src/components/A.astro', astro("import Main from '#layouts/Main.astro';"), 'pages →'],
  ['src/pages/a.astro', astro("import '#scripts/api/app.ts';"), 'The site imports nothing from scripts'],
  ['scripts/api/a.ts', "import '#stores/cart/cart.ts';", 'The reference API shares only'],
  ['scripts/api/a.ts', "import '#api/client.ts';", 'The reference API shares only'],
  [
    'src/domain/first.ts',
    "import type { Second } from './second.ts';\nexport type First = Second | 1;",
    'cycle',
  ],
  [
    'src/domain/second.ts',
    "import type { First } from './first.ts';\nexport type Second = First | 2;",
    'cycle',
  ],
];

const allowed: [path: string, source: string][] = [
  ['src/domain/a.ts', "import './money.ts';"],
  ['src/api/a.ts', "import 'ky';\nimport '#domain/cart.ts';\nawait fetch('/x');"],
  ['src/stores/a.ts', "import '#api/orders.ts';\nimport '#domain/cart.ts';\nimport './toasts.ts';"],
  [
    'src/islands/cart/A.tsx',
    "import 'react';\nimport './Line.tsx';\nimport '#islands/ui/Button.tsx';\nimport '#stores/cart/cart.ts';",
  ],
  [
    'src/pages/a.astro',
    astro("import Main from '#layouts/Main.astro';\nimport Cart from '#islands/cart/Cart.tsx';"),
  ],
  ['scripts/api/a.ts', "import '#api/schema/product.ts';\nimport '#domain/cart.ts';\nimport './db/open.ts';"],
];

/** Two cases may stand at one path: each is written under a name of its own. */
const numbered = (path: string, number: number): string =>
  path.replace(/([aA])(\.[a-z.]+)$/, `$1${number}$2`);

const files = [...forbidden, ...allowed].map(([path, source], number) => ({
  path: numbered(path, number),
  source,
}));
let project = '';
let findings: string[] = [];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'imports-'));
  for (const file of [
    'scripts/check/biome.json',
    'scripts/check/public-means.grit',
    'scripts/check/insert-columns.grit',
    '.gitignore',
  ])
    await cp(join(root, file), join(project, file));
  for (const { path, source } of files) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), source);
  }
  const rules = [
    '--only=style/noRestrictedImports',
    '--only=style/noRestrictedGlobals',
    '--only=suspicious/noImportCycles',
  ];
  const told = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [biome, 'lint', '--config-path=scripts/check', '--reporter=github', '--max-diagnostics=none', ...rules],
      { cwd: project },
      (_, stdout) => resolve(stdout),
    );
  });
  findings = told.split('\n');
});

afterAll(() => rm(project, { recursive: true, force: true }));

const findingsAt = (number: number): string =>
  findings.filter((line) => line.includes(`/${files[number]?.path},`)).join('\n');

describe('the linter keeps imports going one way', () => {
  test.each(forbidden.map((entry, number) => [...entry, number] as const))(
    '%s may not hold %j',
    (_path, _source, says, number) => {
      expect(findingsAt(number)).toContain(says);
    },
  );

  test.each(allowed.map((entry, number) => [...entry, forbidden.length + number] as const))(
    '%s may hold %j',
    (_path, _source, number) => {
      expect(findingsAt(number)).toBe('');
    },
  );
});
