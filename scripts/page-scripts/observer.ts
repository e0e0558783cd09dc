import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { holders, statefulChunks } from './module-graph.ts';

type Names = [string, string[]];

/** What one build's chunks lead to, as it is written down. */
export interface ObservedGraph {
  imports: Names[];
  later: Names[];
  stateful: Names[];
}

/** Watches which chunks the client's build makes. */
export function chunkObserver(): {
  plugin: Plugin;
  graph: () => ObservedGraph;
  /** The chunks of which a page may hold one copy only. */
  single: () => ReadonlySet<string>;
} {
  let single: ReadonlySet<string> = new Set();
  let graph: ObservedGraph = { imports: [], later: [], stateful: [] };
  const short = (names: readonly string[]): string[] => names.map((name) => basename(name));
  return {
    graph: () => graph,
    single: () => single,
    plugin: {
      name: 'chunk-graph',
      applyToEnvironment: ({ name }) => name === 'client',
      generateBundle(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        single = new Set(holders(chunks));
        graph = {
          imports: chunks.map(({ fileName, imports }) => [basename(fileName), short(imports)]),
          later: chunks.map(({ fileName, dynamicImports }) => [basename(fileName), short(dynamicImports)]),
          stateful: statefulChunks(chunks, (id) => this.getModuleInfo(id)),
        };
      },
    },
  };
}
