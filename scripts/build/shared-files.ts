import type { Plugin, Rolldown } from 'vite';

type Graph = Rolldown.ChunkingContext;

const isShell = (page: string): boolean => page.includes('/components/Shell.astro?');
const isContent = (page: string): boolean => page.includes('.astro?') && !isShell(page);
const isIsland = (page: string): boolean => page.includes('/src/islands/');
/** The islands that call the API at once. What only these share is in the API's file. */
const CALLING = ['account', 'orders', 'payment'];
/** The islands of one folder are of one kind. */
const kindOf = (island: string): string => island.split('/').at(-2) ?? '';
const nameOf = (page: string): string =>
  page
    .replace(/\.(?:tsx|astro).*/, '')
    .split('/')
    .at(-1) ?? '';

/** Returns the page scripts that import a module, directly or not; with `ever`, also those that load it later. */
function pagesOf(id: string, graph: Graph, ever: boolean, seen = new Set<string>()): string[] {
  const module = seen.has(id) ? null : graph.getModuleInfo(id);
  if (!module) return [];
  seen.add(id);
  const importers = ever ? [...module.importers, ...module.dynamicImporters] : module.importers;
  const pages = importers.flatMap((importer) => pagesOf(importer, graph, ever, seen));
  return module.isEntry ? [id, ...pages] : pages;
}

/** The rules of what may be bought, which pages load after their first view, if at all. */
const RULES = '/domain/buying/forecast.ts';

/** The part of the shell that every page loads after its load event. */
const LATER = '/components/shell/later.ts';

function isImportedBy(id: string, file: string, graph: Graph, seen = new Set<string>()): boolean {
  const importers = seen.has(id) ? [] : (graph.getModuleInfo(id)?.importers ?? []);
  seen.add(id);
  return importers.some((each) => each.endsWith(file) || isImportedBy(each, file, graph, seen));
}

function callsApi(id: string, graph: Graph, seen = new Set<string>()): boolean {
  const imports = seen.has(id) ? [] : (graph.getModuleInfo(id)?.importedIds ?? []);
  seen.add(id);
  return imports.some((each) => fileOf(each, graph) === 'api' || callsApi(each, graph, seen));
}

/**
 * Chooses the file of a module by the pages that load it at first, or ever. For undefined, the bundler makes a file for
 * each set of scripts that share modules. Imports have at least the pages of their module, so no two files import each
 * other. A module with side effects must have one importer, because further pages load its file.
 */
function fileOf(id: string, graph: Graph): string | undefined {
  const first = pagesOf(id, graph, false);
  const ever = pagesOf(id, graph, true);
  const content = first.filter(isContent);
  const islands = Object.groupBy(first.filter(isIsland), kindOf);
  const kinds = Object.keys(islands).length;
  const everKinds = new Set(ever.filter(isIsland).map(kindOf)).size;
  const onContent = ever.some((page) => isContent(page) || isShell(page));
  const isCalling = kinds > 1 && Object.keys(islands).every((kind) => CALLING.includes(kind));
  const isPackage = id.includes('/node_modules/');
  const isDynamic = (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;

  // Separate from React: while React's code runs, V8 may parse the calling file again.
  if (id.includes('/@astrojs/react/')) return 'island';
  // The file of every page already contains what it needs of a package.
  if (isPackage && first.length > 0 && (!onContent || first.some(isShell))) return 'react';
  if (first.some(isShell) || content.length > 1) return 'shop';
  // A module that a content page loads must not bring along the modules of other pages.
  if (onContent && (kinds > 1 || (kinds === 1 && isDynamic))) return isCalling ? 'api' : 'shared';
  if (first.length === 0 && (isPackage || isDynamic || isImportedBy(id, RULES, graph))) return undefined;
  // Modules that the later part of every page shares with scripts whose files it must not load.
  if (!isDynamic && ever.some(isContent) && isImportedBy(id, LATER, graph)) return 'later-shared';
  if (ever.filter(isContent).length > 2) return callsApi(id, graph) ? 'refresh' : 'card';
  if (content[0]) return nameOf(content[0]);
  if (onContent || !first[0]) return undefined;
  if (isCalling) return 'api';
  if (kinds > 2 || (kinds > 1 && first.length > 5)) return 'island';
  if (first.length === 1) return everKinds === 1 ? nameOf(first[0]) : everKinds > 2 ? 'api' : undefined;
  // The most frequent kind of these islands, or several.
  const max = Math.max(...Object.values(islands).map((each) => each?.length ?? 0));
  const main = Object.keys(islands).filter((kind) => islands[kind]?.length === max);
  return main.sort().join('-');
}

/** Bundles the modules that several scripts share. Without it, an island requests up to 45 files. */
export const sharedFiles = (): Plugin => ({
  name: 'shared-files',
  applyToEnvironment: ({ name }) => name === 'client',
  // An island's file may also contain what its page loads later. Astro sets another value.
  options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
  outputOptions: (options) => ({
    ...options,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name: (id, graph) => (fileOf(id, graph) === 'shop' ? 'shop' : null),
          includeDependenciesRecursively: true,
          priority: 1,
        },
        { name: fileOf },
      ],
    },
  }),
});
