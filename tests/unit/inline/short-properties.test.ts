import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shortNames, shortProperties } from '#inline/short-properties.ts';

it('gives the shortest names to the properties that stand most often', () => {
  const names = shortNames([
    'a { --ink: 1; color: var(--leaf) }',
    'b { color: var(--leaf); margin: var(--gap) }',
  ]);
  expect([...names]).toEqual([
    ['--leaf', '--a'],
    ['--gap', '--b'],
    ['--ink', '--c'],
  ]);
});

it('never gives one name to two properties', () => {
  const names = shortNames([Array.from({ length: 200 }, (_, index) => `var(--name-${index})`).join(' ')]);
  expect(new Set(names.values()).size).toBe(200);
  for (const name of names.values()) expect(name).toMatch(/^--[a-z]\d*$/);
});

it('leaves a property of somebody else as it is', () => {
  const { transform } = shortProperties();
  const handler = typeof transform === 'object' ? transform.handler : undefined;
  const code = 'a{--not-of-this-shop:1}';
  expect(handler?.call({} as never, code, 'a.css')).toEqual({ code, map: null });
});

it('needs no name in scripts or markup: they would keep the long ones', () => {
  const files = globSync('src/**/*.{ts,tsx,astro}', { exclude: ['src/inline/short-properties.ts'] });
  expect(files.length).toBeGreaterThan(100);
  const naming = files.filter((file) =>
    /--[a-z][\w-]*/.test(readFileSync(file, 'utf8').replace(/<style[\s\S]*?<\/style>/g, '')),
  );
  expect(naming).toEqual([]);
});
