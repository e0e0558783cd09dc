import { expect, test } from 'vitest';
import { weighPages } from '#scripts/publish/checks/budgets.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { readFacts } from '#scripts/publish/site/page-facts.ts';
import { temporaryFolder, writeFiles } from './support/temporary-folder.ts';

const SCRIPTS = {
  '_astro/shell.js': 'import"./shared.js";export*from"./again.js";document.onclick=()=>import(`./later.js`);',
  '_astro/shared.js': 'export const text = \'import "./later.js"\';',
  '_astro/again.js': 'export {};',
  '_astro/later.js': 'export {};',
};

/** How many files the page loads, itself included. */
async function requestsOf(html: string): Promise<number> {
  const site = temporaryFolder();
  writeFiles(site, { ...SCRIPTS, 'page.html': html });
  const [page] = await weighPages(site, await readFacts(site, await listFiles(site)));
  return page?.requests ?? 0;
}

test.each([
  ['a script, with what it imports statically', '<script type="module" src="/_astro/shell.js"></script>', 4],
  [
    'the component and the renderer of an island',
    '<astro-island component-url="/_astro/again.js" renderer-url="/_astro/shared.js" client="load"></astro-island>',
    3,
  ],
  [
    'a script that is named twice, once',
    '<link rel="modulepreload" href="/_astro/again.js"><script src="/_astro/again.js"></script>',
    2,
  ],
  [
    'neither what is only text nor what another site sends',
    '<!-- <script src="/_astro/again.js"></script> --><script src="https://example.com/_astro/again.js"></script>',
    1,
  ],
])('a page loads %s', async (_, html, requests) => {
  expect(await requestsOf(html)).toBe(requests);
});
