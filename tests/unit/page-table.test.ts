import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXCLUDED } from '#components/shell/speculation-rules.ts';
import { POLICY_SLUGS } from '#domain/policy.ts';
import { fileOf, PAGES } from '#page-table.ts';

const rows = Object.values(PAGES);

/** The built files of a route, where they are not named as the route is. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  '[policy]': POLICY_SLUGS.map((slug) => `${slug}.html`),
  'product/[id]': ['product/*'],
};

test('every file of src/pages has its row in the table of pages, and every row a file', () => {
  const files = globSync('**/*.astro', { cwd: 'src/pages' }).flatMap((file) => {
    // A route whose path may be left out has a page or none, as a setting or the API wants it.
    const route = file.replace(/(?:\/\[\.\.\.page\])?\.astro$/, '');
    return BUILT[route] ?? `${route}.html`;
  });
  expect(rows.map(fileOf).toSorted()).toEqual(files.toSorted());
});

test('no personal page is fetched ahead, and no other is left out', () => {
  const excluded = EXCLUDED.map((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`));
  const isExcluded = (path: string) => excluded.some((pattern) => pattern.test(path));
  const personal = rows.filter(({ isPersonal }) => isPersonal);
  expect(rows.filter(({ path }) => isExcluded(path))).toEqual(personal);
  expect(excluded.filter((pattern) => !personal.some(({ path }) => pattern.test(path)))).toEqual([]);
});
