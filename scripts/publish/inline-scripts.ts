import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/*
 * A content page has its few KB of script in the page itself: it is there with the first round trip, and the first
 * tap waits for nothing. A page with islands keeps files, because the islands share modules with its scripts. For the
 * same reason what a content page imports later must not import a store that its scripts use: it would be another one.
 */
const ISLAND = '<astro-island';
const MODULE_SCRIPT = /<script type="module"(?: src="([^"]+)")?>([\s\S]*?)<\/script>/g;
const INLINE = 'inline:';

interface ModuleScript {
  readonly src: string | undefined;
  readonly code: string;
}

const scriptsOf = (html: string): ModuleScript[] =>
  [...html.matchAll(MODULE_SCRIPT)].map(([, src, code = '']) => ({ src, code }));

/** What a page imports is bundled; what it imports later stays a file of the site. */
function siteFiles(directory: string, scripts: readonly ModuleScript[]): Plugin {
  return {
    name: 'site-files',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ kind, path }) => {
        if (kind === 'dynamic-import') return { path: `/_astro/${basename(path)}`, external: true };
        if (path.startsWith(INLINE)) return { path, namespace: 'inline' };
        return path.startsWith('/_astro/') ? { path: join(directory, path) } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'inline' }, ({ path }) => ({
        contents: scripts[Number(path.slice(INLINE.length))]?.code ?? '',
        resolveDir: join(directory, '_astro'),
      }));
    },
  };
}

async function bundle(directory: string, scripts: readonly ModuleScript[]): Promise<string> {
  const entry = scripts
    .map(({ src }, index) => `import ${JSON.stringify(src ?? INLINE + index)};`)
    .join('\n');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(directory, '_astro') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
    plugins: [siteFiles(directory, scripts)],
  });
  const code = outputFiles[0]?.text.trim() ?? '';
  return code.replaceAll('</script', '<\\/script');
}

/** Rewrites the pages of a built site; pages of one kind share one bundle. */
export async function inlineScripts(directory: string, pages: readonly string[]): Promise<void> {
  const bundles = new Map<string, Promise<string>>();
  for (const page of pages) {
    const file = join(directory, page);
    const html = await readFile(file, 'utf8');
    const scripts = scriptsOf(html);
    if (html.includes(ISLAND) || !scripts.some(({ src }) => src)) continue;
    const key = JSON.stringify(scripts);
    const code = bundles.get(key) ?? bundle(directory, scripts);
    bundles.set(key, code);
    const script = `<script type="module">${await code}</script></body>`;
    await writeFile(
      file,
      html.replace(MODULE_SCRIPT, '').replace('</body>', () => script),
    );
  }
}
