import { basename, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type ChunkGraph, closure } from './module-graph.ts';

/*
 * What a page of islands needs beside React is made one file: twenty shared ones weigh a third more, and each takes its
 * turn. React stays a file of its own, because every such page has it, and so does what is loaded later and needs
 * nothing of the page's.
 */

const ISLAND = /<astro-island\b[^>]*>/g;
const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;
const ENTRY = 'page';

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

interface Island {
  readonly file: string;
  readonly exported: string;
  readonly renderer: string;
}

const islandsOf = (html: string): Island[] =>
  [...html.matchAll(ISLAND)].map(([tag]) => ({
    file: basename(attribute(tag, 'component-url')),
    exported: attribute(tag, 'component-export'),
    renderer: basename(attribute(tag, 'renderer-url')),
  }));

/** The page's entry: every island under a name of its own, and the page's scripts. */
function entryOf(folder: string, islands: readonly Island[], scripts: readonly string[]): Plugin {
  const path = (file: string): string => JSON.stringify(join(folder, file));
  const lines = [
    ...islands.map(
      ({ file, exported }, index) => `export { ${exported} as island${index} } from ${path(file)};`,
    ),
    ...scripts.map((file) => `import ${path(file)};`),
  ];
  return {
    name: 'page-entry',
    resolveId: (source) => (source === ENTRY ? source : null),
    load: (id) => (id === ENTRY ? lines.join('\n') : null),
  };
}

const keptApart = (kept: ReadonlySet<string>, base: string): Plugin => ({
  name: 'kept-apart',
  resolveId: (source) =>
    kept.has(basename(source)) ? { id: `${base}/${basename(source)}`, external: 'absolute' } : null,
});

/** Chunks that need nothing of what the page has at once: loaded later, they stay one file for every page. */
const sharedLater = (own: ReadonlySet<string>, graph: ChunkGraph): string[] =>
  [...graph.imports.keys()].filter((file) => closure([file], graph).every((needed) => !own.has(needed)));

/**
 * Bundles one page of islands into `folder`, which is served at `base`, and points the page there.
 * @param guard the classic script that answers when one of the files is gone
 */
export async function bundleIslands(
  page: string,
  html: string,
  graph: ChunkGraph,
  { folder, base, guard }: { folder: string; base: string; guard: string },
): Promise<string> {
  const islands = islandsOf(html);
  const scripts = [...html.matchAll(MODULE_SCRIPT)].map(([, address]) => basename(address ?? ''));
  const react = closure(
    islands.map(({ renderer }) => renderer),
    graph,
  );
  const own = new Set(closure([...islands.map(({ file }) => file), ...scripts], graph));
  for (const file of react) own.delete(file);
  const kept = new Set([...react, ...sharedLater(own, graph)]);
  const build = await rolldown({
    input: { [page]: ENTRY },
    plugins: [entryOf(folder, islands, scripts), keptApart(kept, base)],
    logLevel: 'silent',
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: '[name].[hash].js',
  });
  await build.close();
  const [entry] = output;
  const files = [entry.fileName, ...entry.imports.filter((file) => !file.startsWith('/')), ...react];
  const address = `${base}/${entry.fileName}`;
  const preloads = files.map((file) => `<link rel="modulepreload" href="${base}/${file}">`).join('');
  let index = -1;
  return html
    .replace(MODULE_SCRIPT, '')
    .replace(ISLAND, (tag) => {
      index += 1;
      return tag
        .replace(/\bcomponent-url="[^"]*"/, `component-url="${address}"`)
        .replace(/\bcomponent-export="[^"]*"/, `component-export="island${index}"`);
    })
    .replace(/<\/body>(?![\s\S]*<\/body>)/, `<script type="module" src="${address}"></script></body>`)
    .replace('</head>', () => `<script>${guard}</script>${preloads}</head>`);
}
