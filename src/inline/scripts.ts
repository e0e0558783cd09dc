import { build, type Plugin } from 'vite';
import { minifyInline } from './minify.ts';

const QUERY = '?inline-script';

/**
 * `import { code } from './early.ts?inline-script'` is that module with all it imports, as the text of one small classic
 * script: for what must run before the first paint and may share its rules with the rest of the shop.
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
    const bundled = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
    const code = await minifyInline(bundled, { module: false });
    for (const output of outputs) {
      if (output.type === 'chunk') for (const file of output.moduleIds) this.addWatchFile(file);
    }
    return `export const code = ${JSON.stringify(code.replaceAll('</', '<\\/'))}`;
  },
});
