import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const Dependencies = v.optional(v.record(v.string(), v.string()), {});
const Package = v.object({
  version: v.optional(v.string()),
  resolved: v.optional(v.string()),
  integrity: v.optional(v.string()),
  bin: v.optional(v.record(v.string(), v.string()), {}),
  dependencies: Dependencies,
  optionalDependencies: Dependencies,
  devDependencies: Dependencies,
});
const LockFile = v.object({ packages: v.record(v.string(), Package) });

const read = <Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> =>
  v.parse(schema, JSON.parse(readFileSync(file, 'utf8')));

const { '': root, ...installed } = read('package-lock.json', LockFile).packages;

test('the lock file matches package.json', () => {
  const { dependencies, devDependencies, optionalDependencies } = read('package.json', Package);
  expect(root).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

test('every package of the lock file has an integrity hash and an https URL', () => {
  const odd = Object.entries(installed).filter(
    ([, { resolved, integrity }]) =>
      !integrity?.startsWith('sha512-') || (resolved !== undefined && !resolved.startsWith('https://')),
  );
  expect(odd.map(([path]) => path)).toEqual([]);
  expect(Object.keys(installed)).toContain('node_modules/astro');
});

test('every platform gets the same Node version', () => {
  const nodes = Object.values(installed).filter(({ bin }) => 'node' in bin);
  expect(nodes.length).toBeGreaterThan(3);
  expect(new Set(nodes.map(({ version }) => version)).size).toBe(1);
});
