import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserProtection, Protection } from './protection.ts';

const PARTS = [
  'src',
  'scripts',
  'tests',
  'public',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'astro.config.mjs',
];

/** A copy of the shop in which things can be broken: the code itself is never touched. Returns its folder. */
export function createSandbox(name: string): string {
  const sandbox = resolve('.cache', name);
  rmSync(sandbox, { recursive: true, force: true });
  for (const part of PARTS) cpSync(part, join(sandbox, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(sandbox, 'node_modules'));
  return sandbox;
}

type AnyProtection = Protection | BrowserProtection;

/** Takes a protection away, wherever it stands in its file. Returns what puts it back. @throws where it stands nowhere */
export function takeAway(sandbox: string, [fault, file, from, to]: AnyProtection): () => void {
  const path = join(sandbox, file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(from)) throw new Error(`Fault ${fault}: ${file} no longer holds ${from}`);
  writeFileSync(
    path,
    source.replaceAll(from, () => to),
  );
  return () => writeFileSync(path, source);
}

/** One protection as a line of the table that is printed. */
export const lineOf = ([fault, file, from]: AnyProtection, verdict: string, title: string): string =>
  `${String(fault).padStart(3)}  ${verdict}  ${file}: ${from.trim().slice(0, 60).replace(/\s+/g, ' ')}  →  ${title}`;
