import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { findBroken } from '#scripts/check/find-citations.ts';

/** Words that this file may cite without being looked at itself. */
const citableIds = new Map([
  ['rule', new Set(['2', '2.home.1', '20', '20b', '21'])],
  ['law', new Set(['1', '3'])],
]);

const brokenIn = (text: string, file = 'src/a.ts'): string[] =>
  findBroken(file, text, citableIds, (path) => path === 'src/site.ts' || path === './site.ts').map(
    ({ line, cites }) => `${line}: ${cites}`,
  );

describe('a number that is cited', () => {
  test.each([
    '/** A price (rule 20b; laws 1, 3). */',
    '/** Of rules 2, 20 and 21, and Rule 2 of the book. */',
    "test('[rule 2.home.1, 21] a cart', () => {});",
    '/** Nothing of a rule: overrule 9, rules of 9 kinds. */',
  ])('is found where it is in the list: %s', (text) => {
    expect(brokenIn(text)).toEqual([]);
  });

  test.each([
    ['/** A price (rule 20c). */', ['1: rule 20c']],
    ['/** A price (law 1, 2). */', ['1: law 2']],
    ['/** A price (laws 1-4). */', ['1: law 4']],
    ['\n/**\n * A price of the shop (rule 20;\n * rule\n * 9).\n */', ['4: rule 9']],
    ["test('[rule 2.home.2] a cart', () => {});", ['1: rule 2.home.2']],
    ["/** A price (rule, 'Prices'). */", ['1: rule without a number']],
    ['<p>text</p> <!-- A price (laws 8) -->', ['1: law 8']],
  ])('is told where it is in none: %s', (text, broken) => {
    expect(brokenIn(text)).toEqual(broken);
  });
});

describe('a file that is cited', () => {
  test('is found where it exists', () => {
    expect(brokenIn('/** The owner sets it in src/site.ts. */')).toEqual([]);
    expect(
      brokenIn('See [the owner](./site.ts#owner) and [another shop](https://shop.example/a.md).', 'a.md'),
    ).toEqual([]);
  });

  test('is told where it does not', () => {
    expect(brokenIn('/** The owner sets it in src/sites.ts (look.md). */')).toEqual([
      '1: src/sites.ts',
      '1: look.md',
    ]);
    expect(brokenIn('/* Small rooms: src/drawers/. */', 'b.css')).toEqual(['1: src/drawers']);
    expect(brokenIn('// A price of src/pages/[id].astro', 'b.astro')).toEqual(['1: src/pages/[id].astro']);
    expect(brokenIn('One\n[the owner](./sites.ts), `scripts/b.ts`', 'a.md')).toEqual([
      '2: ./sites.ts',
      '2: scripts/b.ts',
    ]);
  });

  test('does not count in code, nor as part of an address or a pattern', () => {
    expect(
      brokenIn(
        "const path = 'src/sites.ts';\nglob('src/**/*.ts'); /** src/*.md, https://a.example/src/b.ts */",
      ),
    ).toEqual([]);
  });
});

describe('the command', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  let project = '';
  afterEach(() => rm(project, { recursive: true, force: true }));

  const check = async (source: string): Promise<{ code: number; told: string }> => {
    project = await mkdtemp(join(tmpdir(), 'citations-'));
    await cp(join(root, 'tests/spec'), join(project, 'tests/spec'), { recursive: true });
    await mkdir(join(project, 'src/domain'), { recursive: true });
    await writeFile(join(project, 'src/a.ts'), source);
    // The lists cite these.
    for (const file of ['src/site.ts', 'src/domain/offers.ts']) await writeFile(join(project, file), '');
    const command = join(root, 'scripts/check/citations.ts');
    return new Promise((resolve) => {
      execFile(process.execPath, [command], { cwd: project }, (error, told) =>
        resolve({ code: error ? 1 : 0, told }),
      );
    });
  };

  test('passes where everything cited is there', async () => {
    const ids = ['20b', '7', '93'];
    const source = `/** (resolutions ${ids[0]}; spec ${ids[1]}; section ${ids[1]}; faults ${ids[2]}; tests/spec/faults.md) */`;
    expect(await check(source)).toEqual({ code: 0, told: '' });
  });

  test('fails with the place of what is not', async () => {
    const missing = '99';
    expect(await check(`\n/** (resolutions ${missing}) */`)).toEqual({
      code: 1,
      told: `src/a.ts:2 cites resolution ${missing}, which is not here.\n`,
    });
  });
});
