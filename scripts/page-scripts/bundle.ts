import { basename, join } from 'node:path';
import type { Plugin } from 'rolldown';

const ENTRY = 'page';

/** What is loaded later keeps its own file. */
const laterByAddress = (base: string, renamed: ReadonlyMap<string, string>): Plugin => ({
  name: 'later-by-address',
  resolveId(source, _importer, { kind }) {
    const file = renamed.get(basename(source)) ?? basename(source);
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
 * @param renamed the files that later parts have by now (content-parts.ts)
 */
export async function bundleScripts(
  names: readonly string[],
  folder: string,
  base: string,
  renamed: ReadonlyMap<string, string>,
): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: ENTRY,
    plugins: [allOf(names.map((name) => join(folder, name))), laterByAddress(base, renamed)],
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output[0].code.trim().replaceAll('/* @__PURE__ */ ', '').replaceAll('</script', '<\\/script');
}

/** A module of ours and all that it imports, as the text of one classic script. */
export async function classicScript(file: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ input: file, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return output[0].code.trim();
}
