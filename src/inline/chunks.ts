import { relative } from 'node:path';
import type { Plugin } from 'vite';

declare global {
  /** The pages are rendered by a bundle of their own: the process is all it shares with the plugin. */
  var builtChunks: Map<string, string> | undefined;
}

/** Notes the address of each script that is loaded on demand, for pages that want it on its way early. */
export const noteChunks = (): Plugin => ({
  name: 'note-chunks',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    globalThis.builtChunks ??= new Map();
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk' || !output.isDynamicEntry || output.facadeModuleId === null) continue;
      globalThis.builtChunks.set(relative('.', output.facadeModuleId), `/${output.fileName}`);
    }
  },
});

/** The address of a script by its source, such as `src/components/listing/draw.ts`; none while developing. */
export const chunkAddress = (source: string): string | undefined => globalThis.builtChunks?.get(source);
