import { glob, readFile } from 'node:fs/promises';
import { findProofs, type Proof } from './proofs.ts';
import type { Group } from './statements.ts';

const TESTS = ['tests/**/*.test.ts', 'tests/**/*.test.tsx'];

/** Reads the proofs from every test file of the repository. */
export const readProofs = async (tag: string): Promise<Proof[]> => {
  const proofs: Proof[] = [];
  for await (const file of glob(TESTS)) proofs.push(...findProofs(tag, file, await readFile(file, 'utf8')));
  return proofs;
};

const proofLine = ({ file, title, isConditional }: Proof): string =>
  `        ${file} › ${title}${isConditional ? ' (where it can run)' : ''}`;

/**
 * `all` prints every statement, `missing` only the unproven ones. `ids` prints neither and only checks that every id
 * that a test names is in the list.
 */
export type Mode = 'all' | 'missing' | 'ids';

export const MODE_OPTIONS = { ids: { type: 'boolean' }, missing: { type: 'boolean' } } as const;

export const modeOf = ({ ids, missing }: { ids?: boolean; missing?: boolean }): Mode => {
  if (ids) return 'ids';
  return missing ? 'missing' : 'all';
};

/** A statement is proven when one of its tests runs on every machine. */
const isProven = (proofs: readonly Proof[] = []): boolean =>
  proofs.some(({ isConditional }) => !isConditional);

const groupLines = ({ title, statements }: Group, proofs: Map<string, Proof[]>, mode: Mode): string[] => {
  const shown = statements.filter(({ id }) => mode === 'all' || !isProven(proofs.get(id)));
  if (shown.length === 0 || mode === 'ids') return [];
  const lines = shown.flatMap(({ id, text }) => {
    const tests = proofs.get(id) ?? [];
    return [`  ${isProven(tests) ? '✓' : '✗'} ${id}  ${text}`, ...tests.map(proofLine)];
  });
  return ['', title, ...lines];
};

/**
 * Prints statements with the tests that prove them. Returns false when a test names a statement that is not in the
 * list, or when a statement has no test (except in mode `ids`).
 */
export const printCoverage = async (tag: string, groups: Group[], mode: Mode): Promise<boolean> => {
  const proofs = Map.groupBy(await readProofs(tag), ({ id }) => id);
  const statements = groups.flatMap((group) => group.statements);
  const listedIds = new Set(statements.map(({ id }) => id));
  const unknown = [...proofs.values()].flat().filter(({ id }) => !listedIds.has(id));
  const proven = statements.filter(({ id }) => isProven(proofs.get(id))).length;
  const lines = groups.flatMap((group) => groupLines(group, proofs, mode));
  if (unknown.length > 0) lines.push('', 'Tests that name an unknown statement');
  for (const proof of unknown) lines.push(`  ✗ ${proof.id}`, proofLine(proof));
  lines.push('', `${proven} of ${statements.length} proven, ${unknown.length} unknown.`);
  process.stdout.write(`${lines.join('\n').trimStart()}\n`);
  return unknown.length === 0 && (mode === 'ids' || proven === statements.length);
};
