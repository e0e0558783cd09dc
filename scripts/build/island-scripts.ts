import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** Where the build notes the scripts of the islands. The pages are written after it, and read it. */
export const ISLAND_SCRIPTS = '.cache/island-scripts.json';

const ISLAND = /\/src\/islands\/([\w-]+\/\w+)\.tsx$/;
/** What Astro starts an island of React with. */
const RENDERER = fileURLToPath(import.meta.resolve('@astrojs/react/client.js'));

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** The file names of the chunks and of everything that they import statically, each once, what is imported last. */
function withImports(chunks: Chunks, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    withImports(chunks, chunks.get(name)?.imports ?? [], found);
  }
  return found;
}

/**
 * Notes which scripts each island needs, so that its page can name all of them in its head
 * (components/IslandScripts.astro). Without that the browser would find them one after the other, each in the imports
 * of another. Vite calls this after the bundling for the browser, and Astro writes the pages afterwards.
 */
export const islandScripts = (): Plugin => ({
  name: 'island-scripts',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_, bundle) {
    const chunks = new Map(
      Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])),
    );
    const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
    const renderer = entries.filter(({ facadeModuleId }) => facadeModuleId === RENDERER);
    const scripts = entries.flatMap(({ facadeModuleId, fileName }) => {
      const [, island] = ISLAND.exec(facadeModuleId ?? '') ?? [];
      const needed = withImports(chunks, [fileName, ...renderer.map((entry) => entry.fileName)]);
      return island ? [[island, [...needed].map((name) => `/${name}`)]] : [];
    });
    mkdirSync(dirname(ISLAND_SCRIPTS), { recursive: true });
    writeFileSync(ISLAND_SCRIPTS, JSON.stringify(Object.fromEntries(scripts)));
  },
});
