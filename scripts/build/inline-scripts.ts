import { build, type Plugin } from 'vite';

const QUERY = '?inline-script';

/**
 * Bundles a module and its imports into one classic script and exports it as text:
 * `import { code } from './early.ts?inline-script'`. For code that runs before the first paint and imports modules of the
 * shop. Astro inlines only scripts that import nothing shared, and as modules, which run after parsing.
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
      // As Astro's own builds do: the address of the API is one of them.
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
