import { expect, it } from 'vitest';
import { reexports, renameTaken } from '#scripts/page-scripts/place.ts';

const places = [{ file: 'content-first.js', names: { t: 'n', n: 'r' } }];

it('reads what the exports of a part are called in the shared file', () => {
  expect(reexports('export{r as n,t as r,n as t,same}from"./content-first.js";')).toEqual({
    n: 'r',
    r: 't',
    t: 'n',
    same: 'same',
  });
});

it.each(['import"./content-first.js";', 'export{}from"./content-first.js";', ''])(
  'finds no exports where there are none: %s',
  (code) => expect(reexports(code)).toEqual({}),
);

it.each([
  'const n=1;export{n};',
  'import{r as n}from"./content-first.js";export{n as t};',
  'export{r as n}from"./content-first.js";n();',
])('refuses a file that does more than pass exports on, and shows it: %s', (code) => {
  expect(() => reexports(code)).toThrow(code);
});

it.each([
  'import(`/_astro/content-first.js`).then(e=>e.t)',
  'import("/_astro/content-first.js").then((e) => e.t)',
])('takes a part out of its new file by its new name: %s', (code) => {
  expect(renameTaken(`x(${code});`, places, '/_astro')).toBe(`x(${code.replace('e.t', 'e.n')});`);
});

it.each(['import(`/_astro/other.js`).then(e=>e.t)', 'import(`/_astro/content-first.js`)'])(
  'leaves what is taken from elsewhere, or whole: %s',
  (code) => expect(renameTaken(code, places, '/_astro')).toBe(code),
);

it('refuses to write a page that would take nothing', () => {
  const code = 'import(`/_astro/content-first.js`).then(e=>e.gone)';
  expect(() => renameTaken(code, places, '/_astro')).toThrow("exports nothing for 'gone'");
});
