import { build, type Plugin } from 'vite';

const QUERY = '?inline-script';

/**
 * `import { code } from './early.ts?inline-script'` is that module with all it imports, as the text of one classic
 * script. It is for what must run before the first paint and shares rules with the rest of the shop; Astro can only
 * inline scripts that share nothing, and those run after the page has been parsed.
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
    return `export const code = ${JSON.stringify(code.replaceAll('</', '<\\/'))}`;
  },
});
