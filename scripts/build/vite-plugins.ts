import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/** Where the build writes the scripts of the islands. The pages are rendered after it, and read it. */
export const ISLAND_SCRIPTS = '.cache/island-scripts.json';

const ISLAND = /\/src\/islands\/([\w-]+\/\w+)\.tsx$/;
/** Astro's entry for islands of React. */
const RENDERER = fileURLToPath(import.meta.resolve('@astrojs/react/client.js'));

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** Returns the file names of the chunks and of all their static imports, each once, dependencies last. */
function withImports(chunks: Chunks, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    withImports(chunks, chunks.get(name)?.imports ?? [], found);
  }
  return found;
}

/**
 * Writes which scripts each island needs, so that its page can name all of them in its head
 * (components/IslandScripts.astro). Otherwise the browser would find them one after the other, each in the imports
 * of another. Vite calls this after the client bundle, and Astro renders the pages afterwards.
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

const QUERY = '?inline-script';

/**
 * Bundles a module and its imports into one classic script and exports it as text: `import { code } from
 * './early.ts?inline-script'`. For code that runs before the first paint and imports modules of the shop. Astro inlines
 * only scripts without shared imports, as modules, which run after parsing.
 */
export const inlineScripts = (): Plugin => ({
  name: 'inline-scripts',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(QUERY)) return undefined;
    const entry = id.slice(0, -QUERY.length);
    const result = await build({
      configFile: false,
      logLevel: 'error',
      envDir: false,
      // As in Astro's own builds. One of these settings is the address of the API.
      envPrefix: 'PUBLIC_',
      publicDir: false,
      build: {
        write: false,
        modulePreload: false,
        target: 'es2022',
        rolldownOptions: { input: entry, output: { format: 'iife' } },
      },
    });
    const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
    const chunks = outputs.filter((output) => output.type === 'chunk');
    for (const { moduleIds } of chunks) for (const file of moduleIds) this.addWatchFile(file);
    const code = chunks.map((chunk) => chunk.code.trim()).join('');
    return `export const code = ${JSON.stringify(code.replace(/<\/(?=script)/gi, '<\\/'))}`;
  },
});

/** The script of every page, which runs before the page's own (src/components/Shell.astro). */
const FIRST_SCRIPT = /\/src\/components\/shell\/shell\.ts$/;

/**
 * Lets `astro dev` set up React's refresh before any island's code runs. A page's own script imports its island
 * early, but Astro's integration for React sets it up only at hydration. If that is too late, the island stays dead
 * until a reload.
 */
export const reactPreamble = (): Plugin => ({
  name: 'react-preamble',
  apply: 'serve',
  transform: {
    filter: { id: FIRST_SCRIPT },
    handler: (code) => `import '@vitejs/plugin-react/preamble';\n${code}`,
  },
});
