import { glob, readFile } from 'node:fs/promises';
import { findProofs, type Proof } from './proofs.ts';
import type { Group } from './statements.ts';

const TESTS = ['tests/**/*.test.ts', 'tests/**/*.test.tsx'];

/** The proofs of every test file of the repository. */
export const readProofs = async (tag: string): Promise<Proof[]> => {
  const proofs: Proof[] = [];
  for await (const file of glob(TESTS)) proofs.push(...findProofs(tag, file, await readFile(file, 'utf8')));
  return proofs;
};

const proofLine = ({ file, title, maybe }: Proof): string =>
  `        ${file} › ${title}${maybe ? ' (where it can run)' : ''}`;

/** `all` statements, the `missing` ones, or the `ids` of tests alone: that each is in the list. */
export type Mode = 'all' | 'missing' | 'ids';

export const MODE_OPTIONS = { ids: { type: 'boolean' }, missing: { type: 'boolean' } } as const;

export const modeOf = ({ ids, missing }: { ids?: boolean; missing?: boolean }): Mode => {
  if (ids) return 'ids';
  return missing ? 'missing' : 'all';
};

/** Whether a test of them runs on every machine. */
const isProven = (proofs: readonly Proof[] = []): boolean => proofs.some(({ maybe }) => !maybe);

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
 * Prints statements with the tests that prove them. False when a test names a statement that is not in the list,
 * or, unless only ids are looked at, a statement has no test.
 */
export const printCoverage = async (tag: string, groups: Group[], mode: Mode): Promise<boolean> => {
  const proofs = Map.groupBy(await readProofs(tag), ({ id }) => id);
  const statements = groups.flatMap((group) => group.statements);
  const known = new Set(statements.map(({ id }) => id));
  const unknown = [...proofs.values()].flat().filter(({ id }) => !known.has(id));
  const proven = statements.filter(({ id }) => isProven(proofs.get(id))).length;
  const lines = groups.flatMap((group) => groupLines(group, proofs, mode));
  if (unknown.length > 0) lines.push('', 'Tests that name an unknown statement');
  for (const proof of unknown) lines.push(`  ✗ ${proof.id}`, proofLine(proof));
  lines.push('', `${proven} of ${statements.length} proven, ${unknown.length} unknown.`);
  process.stdout.write(`${lines.join('\n').trimStart()}\n`);
  return unknown.length === 0 && (mode === 'ids' || proven === statements.length);
};
