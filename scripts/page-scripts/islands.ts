import { basename, join } from 'node:path';
import type { OutputChunk, Plugin } from 'rolldown';
import { entryHint } from './compile-hint.ts';
import { type ChunkGraph, closure } from './module-graph.ts';
import { atEndOfBody } from './rewrite.ts';

/*
 * What a page of islands needs beside React is made one file: twenty shared ones weigh a third more, and each takes its
 * turn. React stays a file of its own, because every such page has it; so does the group 'small', so that what is loaded
 * later and needs nothing else of the page's is one file for every page, content pages included. The page's file starts
 * its islands itself: Astro's loader is 1.5 KB in every page, for islands that come when they are seen or have props.
 */

const ISLAND = /<astro-island\b[^>]*>/g;
/** Astro writes it where the first island is; a style element belongs in the head. */
const STYLE = /<style>astro-island,[^<]*<\/style>/;
const ISLAND_STYLE = '<style>astro-island{display:contents}</style>';
const LOADER = /<script>(?:(?!<\/script>)[\s\S])*?(?:self\.Astro\b|"astro-island")[\s\S]*?<\/script>/g;
const SHARED = /^small\./;
const ENTRY = 'page';

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

export interface Island {
  readonly file: string;
  readonly exported: string;
  readonly renderer: string;
}

function islandOf(page: string, tag: string): Island {
  if (attribute(tag, 'client') !== 'load' || attribute(tag, 'props') !== '{}')
    throw new Error(
      `${page}: an island is 'client:load' and takes no props; give it what it needs by a store.`,
    );
  return {
    file: basename(attribute(tag, 'component-url')),
    exported: attribute(tag, 'component-export'),
    renderer: basename(attribute(tag, 'renderer-url')),
  };
}

/** The page's entry: its scripts, and the start of every island where it stands. */
function entryOf(folder: string, islands: readonly Island[], scripts: readonly string[]): Plugin {
  const path = (file: string): string => JSON.stringify(join(folder, file));
  const lines = [
    ...scripts.map((file) => `import ${path(file)};`),
    "const places = document.querySelectorAll('astro-island[ssr]');",
    ...islands.flatMap(({ file, exported, renderer }, index) => [
      `import { ${exported} as Island${index} } from ${path(file)};`,
      `import start${index} from ${path(renderer)};`,
      `start${index}(places[${index}])(Island${index}, {}, {}, { client: 'load' });`,
      `places[${index}].removeAttribute('ssr');`,
    ]),
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

/** The files that come with the entry, itself included: all are asked for at once. */
function filesAtOnce(entry: OutputChunk, output: readonly OutputChunk[]): string[] {
  const imports = new Map(output.map((chunk) => [chunk.fileName, chunk.imports]));
  return closure([entry.fileName], { imports }).map((file) => basename(file));
}

export const islandsOf = (page: string, html: string): Island[] =>
  [...html.matchAll(ISLAND)].map(([tag]) => islandOf(page, tag));

export interface Folders {
  /** Where the chunks of the build lie. */
  readonly from: string;
  /** Where the bundles of pages are written. */
  readonly to: string;
  /** Where both are served. */
  readonly base: string;
}

/** Bundles one page of islands. Gives the files the page loads at once, its own first. */
export async function bundleIslands(
  page: string,
  islands: readonly Island[],
  scripts: readonly string[],
  graph: ChunkGraph,
  { from, to, base }: Folders,
): Promise<string[]> {
  const react = closure(
    islands.map(({ renderer }) => renderer),
    graph,
  );
  const own = new Set(closure([...islands.map(({ file }) => file), ...scripts], graph));
  for (const file of own) if (react.includes(file) || SHARED.test(file)) own.delete(file);
  const kept = new Set([...react, ...sharedLater(own, graph)]);
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: { [page]: ENTRY },
    plugins: [entryOf(from, islands, scripts), keptApart(kept, base)],
    logLevel: 'silent',
  });
  const { output } = await build.write({
    dir: to,
    format: 'esm',
    minify: true,
    postBanner: entryHint,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: '[name].[hash].js',
  });
  await build.close();
  const [entry] = output;
  const chunks = output.filter((each) => each.type === 'chunk');
  return [...new Set([...filesAtOnce(entry, chunks), ...react])];
}

/**
 * Points a page of islands, which has no module scripts any more, to its bundle.
 * @param guard the classic script that answers when one of the files is gone
 */
export function withBundle(html: string, files: readonly string[], base: string, guard: string): string {
  const preloads = files.map((file) => `<link rel="modulepreload" href="${base}/${file}">`).join('');
  const pointed = html
    .replace(LOADER, '')
    .replace(STYLE, '')
    .replace(ISLAND, (tag) => `<astro-island prefix="${attribute(tag, 'prefix')}" ssr>`)
    .replace('</head>', () => `${ISLAND_STYLE}<script>${guard}</script>${preloads}</head>`);
  return atEndOfBody(pointed, `<script type="module" src="${base}/${files[0]}"></script>`);
}
