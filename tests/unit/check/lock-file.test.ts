import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const Package = v.object({
  version: v.optional(v.string()),
  resolved: v.optional(v.string()),
  integrity: v.optional(v.string()),
  bin: v.optional(v.record(v.string(), v.string()), {}),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
  devDependencies: v.optional(v.record(v.string(), v.string()), {}),
});
const LockFile = v.object({ packages: v.record(v.string(), Package) });

const read = <Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> =>
  v.parse(schema, JSON.parse(readFileSync(file, 'utf8')));

const { packages } = read('package-lock.json', LockFile);
const { '': root, ...installed } = packages;

/** Where npm finds a package that another asks for: beside it, or in any folder above. */
const isThere = (from: string, name: string): boolean => {
  const folders = from.split('/node_modules/');
  return (
    folders.some((_, depth) => {
      const above = folders.slice(0, folders.length - depth).join('/node_modules/');
      return `${above}/node_modules/${name}` in packages;
    }) || `node_modules/${name}` in packages
  );
};

test('[fault 91] the lock file asks for what package.json asks for', () => {
  const { dependencies, devDependencies, optionalDependencies } = read('package.json', Package);
  expect(root).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

test('[fault 91] every package of the lock file has its integrity, and comes by https where it says whence', () => {
  const odd = Object.entries(installed).filter(
    ([, { resolved, integrity }]) =>
      !integrity?.startsWith('sha512-') || (resolved !== undefined && !resolved.startsWith('https://')),
  );
  expect(odd.map(([path]) => path)).toEqual([]);
  expect(Object.keys(installed)).toContain('node_modules/astro');
});

test('[fault 91] no package is asked for that the lock file has not, none by git or http', () => {
  const asked = Object.entries(packages).flatMap(
    ([path, { dependencies, optionalDependencies, devDependencies }]) =>
      Object.entries({
        ...dependencies,
        ...optionalDependencies,
        ...(path === '' ? devDependencies : {}),
      }).map(([name, version]) => ({ path, name, version })),
  );
  const odd = asked.filter(
    ({ path, name, version }) => !isThere(path, name) || /[:/]/.test(version.replace(/^npm:/, '')),
  );
  expect(odd).toEqual([]);
});

test('every platform gets the same Node', () => {
  const nodes = Object.values(installed).filter(({ bin }) => 'node' in bin);
  expect(nodes.length).toBeGreaterThan(3);
  expect(new Set(nodes.map(({ version }) => version)).size).toBe(1);
});
