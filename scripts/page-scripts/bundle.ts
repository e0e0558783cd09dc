import { basename, join } from 'node:path';
import type { Plugin } from 'rolldown';
import { minifyInline } from '#inline/minify.ts';
import { type Place, renameTaken } from './place.ts';

const ENTRY = 'page';

/** What is loaded later keeps its own file. */
const laterByAddress = (base: string, moved: ReadonlyMap<string, Place>): Plugin => ({
  name: 'later-by-address',
  resolveId(source, _importer, { kind }) {
    const file = moved.get(basename(source))?.file ?? basename(source);
    return kind === 'dynamic-import' ? { id: `${base}/${file}`, external: 'absolute' } : null;
  },
});

/** A page's scripts as one, in their order. */
const allOf = (files: readonly string[]): Plugin => ({
  name: 'page-scripts',
  resolveId: (source) => (source === ENTRY ? source : null),
  load: (id) => (id === ENTRY ? files.map((file) => `import ${JSON.stringify(file)};`).join('\n') : null),
});

/**
 * The module scripts of a page and all that they import at once, as the text of one module script.
 * @param names file names in `folder`, which is served at `base`
 * @param moved where later parts are by now (content-parts.ts)
 */
export async function bundleScripts(
  names: readonly string[],
  folder: string,
  base: string,
  moved: ReadonlyMap<string, Place>,
): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: ENTRY,
    plugins: [allOf(names.map((name) => join(folder, name))), laterByAddress(base, moved)],
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const code = await minifyInline(renameTaken(output[0].code, moved.values(), base), { module: true });
  return code.replaceAll('</script', '<\\/script');
}

/** A module of ours and all that it imports, as the text of one classic script. */
export async function classicScript(file: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ input: file, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return minifyInline(output[0].code, { module: false });
}
