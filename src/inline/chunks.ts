import { relative } from 'node:path';
import type { Plugin } from 'vite';

declare global {
  /** The pages are rendered by a bundle of their own: the process is all it shares with the plugin. */
  var builtChunks: Map<string, readonly string[]> | undefined;
}

/**
 * Notes the addresses of each script that is loaded on demand and of all it imports, for pages that want them on their
 * way early: one round trip, not one for each step of the imports.
 */
export const noteChunks = (): Plugin => ({
  name: 'note-chunks',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    globalThis.builtChunks ??= new Map();
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk') continue;
      const files = new Set([output.fileName]);
      for (const file of files) {
        const chunk = bundle[file];
        if (chunk?.type === 'chunk') for (const name of chunk.imports) files.add(name);
      }
      for (const id of output.moduleIds) {
        if (this.getModuleInfo(id)?.dynamicImporters.length)
          globalThis.builtChunks.set(
            relative('.', id),
            [...files].map((file) => `/${file}`),
          );
      }
    }
  },
});

/** By the script's source, such as `src/components/listing/draw.ts`; none while developing. */
export const chunkAddresses = (source: string): readonly string[] =>
  globalThis.builtChunks?.get(source) ?? [];
