import { basename } from 'node:path';
import type { ModuleInfo, OutputChunk } from 'rolldown';

/** What one build's chunks are made of and lead to. File names are relative to the assets folder. */
export interface ChunkGraph {
  /** Chunks that a chunk imports at once. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Chunks that a chunk loads later. */
  readonly later: ReadonlyMap<string, readonly string[]>;
  /** By dynamic chunk: modules with state that its own code leads to. */
  readonly stateful: ReadonlyMap<string, readonly string[]>;
}

/** Modules of which a page may hold one copy only: two carts or two lists of notices would not know each other. */
const STATEFUL = /\/src\/stores\/(?:cart|session|toasts)\.ts$/;

type Info = Pick<ModuleInfo, 'importedIds'>;

function statefulModules(entry: string, info: (id: string) => Info | null): string[] {
  const seen = new Set<string>();
  const queue = [entry];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(info(id)?.importedIds ?? []));
  }
  return [...seen].filter((id) => STATEFUL.test(id));
}

export const statefulChunks = (
  chunks: readonly Pick<OutputChunk, 'fileName' | 'isDynamicEntry' | 'facadeModuleId'>[],
  info: (id: string) => Info | null,
): [string, string[]][] =>
  chunks
    .filter(({ isDynamicEntry }) => isDynamicEntry)
    .map(({ fileName, facadeModuleId }) => [
      basename(fileName),
      facadeModuleId ? statefulModules(facadeModuleId, info) : [],
    ]);

/** The chunks that hold such a module themselves. */
export const holders = (chunks: readonly Pick<OutputChunk, 'fileName' | 'moduleIds'>[]): string[] =>
  chunks
    .filter(({ moduleIds }) => moduleIds.some((id) => STATEFUL.test(id)))
    .map(({ fileName }) => basename(fileName));

/** The chunks and all that they import at once, each once, dependencies after those that need them. */
export function closure(entries: readonly string[], { imports }: Pick<ChunkGraph, 'imports'>): string[] {
  const found = new Set<string>();
  const queue = [...entries];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (found.has(file)) continue;
    found.add(file);
    queue.push(...(imports.get(file) ?? []));
  }
  return [...found];
}
