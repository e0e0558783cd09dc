import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const Package = v.object({
  version: v.optional(v.string()),
  resolved: v.optional(v.string()),
  integrity: v.optional(v.string()),
  bin: v.optional(v.record(v.string(), v.string()), {}),
});
const LockFile = v.object({ packages: v.record(v.string(), Package) });

const { packages } = v.parse(LockFile, JSON.parse(readFileSync('package-lock.json', 'utf8')));
const { '': _root, ...installed } = packages;

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
