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
  'api-test/[...page]': ['api-test.html'],
};

test('every file of src/pages has its row in the table of pages, and every row a file', () => {
  const files = globSync('**/*.astro', { cwd: 'src/pages' }).flatMap((file) => {
    const route = file.replace(/\.astro$/, '');
    return BUILT[route] ?? `${route}.html`;
  });
  expect(rows.map(fileOf).toSorted()).toEqual(files.toSorted());
});

test('no personal page is fetched ahead', () => {
  const excluded = EXCLUDED.map((path) => path.replace('*', ''));
  const personal = rows.filter(({ isPersonal }) => isPersonal).map(({ path }) => path);
  expect(excluded.toSorted()).toEqual(personal.toSorted());
});
