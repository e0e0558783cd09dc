import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { assetsOf, weighPage } from '#scripts/check/page-weight.ts';

const dist = mkdtempSync(join(tmpdir(), 'page-weight-'));
afterAll(() => rmSync(dist, { recursive: true }));

const write = (file: string, content: string): void => {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  writeFileSync(join(dist, file), content);
};

write(
  '_astro/shell.js',
  'import"./shared.js";export*from"./again.js";document.onclick=()=>import("./later.js");',
);
write('_astro/shared.js', 'export const text = \'import "./later.js"\';');
write('_astro/again.js', 'export {};');
write('_astro/later.js', 'export {};');
write('_astro/page.css', 'a{color:red}');

test.each([
  [
    'a script in a file, with what it imports statically',
    '<script type="module" src="/_astro/shell.js"></script>',
    ['again.js', 'shared.js', 'shell.js'],
  ],
  [
    'what a module in the page imports',
    '<script type="module">import { text } from "/_astro/shared.js"; import("/_astro/later.js");</script>',
    ['shared.js'],
  ],
  [
    'style sheets and preloaded modules, whatever the order and quotes of their attributes',
    "<link href='/_astro/page.css' rel=stylesheet><link rel=modulepreload crossorigin href=/_astro/again.js>",
    ['again.js', 'page.css'],
  ],
  [
    'the component and the renderer of an island',
    '<astro-island component-url="/_astro/again.js" renderer-url="/_astro/shared.js" client="load"></astro-island>',
    ['again.js', 'shared.js'],
  ],
  [
    'a script that is named twice, once',
    '<link rel="preload" as="script" href="/_astro/again.js"><script src="/_astro/again.js"></script>',
    ['again.js'],
  ],
  [
    'neither what is only text nor what another site sends',
    '<!-- <script src="/_astro/again.js"></script> --><link rel="canonical" href="/_astro/again.js"><script src="https://example.com/_astro/again.js"></script>',
    [],
  ],
])('a page loads %s', (_, html, expected) => {
  const names = assetsOf(html, dist).map((path) => path.replace('/_astro/', ''));
  expect(names.sort()).toEqual(expected);
});

test('a page weighs what it loads, the page included', () => {
  write('plain.html', '<p>Mango</p>');
  write('scripted.html', '<p>Mango</p><script type="module" src="/_astro/shell.js"></script>');
  const plain = weighPage(dist, 'plain.html');
  const scripted = weighPage(dist, 'scripted.html');
  expect(plain).toEqual({ html: plain.total, assets: 0, total: plain.total });
  expect(scripted.assets).toBe(3);
  expect(scripted.total).toBeGreaterThan(scripted.html);
});
