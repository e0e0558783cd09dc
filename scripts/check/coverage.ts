import { glob, readFile } from 'node:fs/promises';
import { findProofs, type Proof } from './proofs.ts';
import type { Group } from './statements.ts';

const TESTS = ['tests/**/*.test.ts', 'tests/**/*.test.tsx'];

const readProofs = async (tag: string): Promise<Proof[]> => {
  const proofs: Proof[] = [];
  for await (const file of glob(TESTS)) proofs.push(...findProofs(tag, file, await readFile(file, 'utf8')));
  return proofs;
};

const proofLine = ({ file, title }: Proof): string => `        ${file} › ${title}`;

/**
 * Prints every statement with the tests that prove it, or with `missingOnly` those without one.
 * False when a statement has no test, or a test names a statement that is not in the list.
 */
export const printCoverage = async (tag: string, groups: Group[], missingOnly: boolean): Promise<boolean> => {
  const proofs = Map.groupBy(await readProofs(tag), ({ id }) => id);
  const statements = groups.flatMap((group) => group.statements);
  const known = new Set(statements.map(({ id }) => id));
  const lines: string[] = [];
  for (const group of groups) {
    const shown = group.statements.filter(({ id }) => !(missingOnly && proofs.has(id)));
    if (shown.length === 0) continue;
    lines.push('', group.title);
    for (const { id, text } of shown) {
      const tests = proofs.get(id) ?? [];
      lines.push(`  ${tests.length > 0 ? '✓' : '✗'} ${id}  ${text}`, ...tests.map(proofLine));
    }
  }
  const unknown = [...proofs.values()].flat().filter(({ id }) => !known.has(id));
  if (unknown.length > 0) lines.push('', 'Tests that name an unknown statement');
  for (const proof of unknown) lines.push(`  ✗ ${proof.id}`, proofLine(proof));
  const proven = statements.filter(({ id }) => proofs.has(id)).length;
  lines.push('', `${proven} of ${statements.length} proven, ${unknown.length} unknown.`);
  process.stdout.write(`${lines.join('\n').trimStart()}\n`);
  return proven === statements.length && unknown.length === 0;
};
