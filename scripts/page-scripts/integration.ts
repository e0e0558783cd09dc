import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { bundleScripts, classicScript } from './bundle.ts';
import { bundleIslands } from './islands.ts';
import { type ChunkGraph, closure, graphOf } from './module-graph.ts';
import { scriptsOf, withInlineScript } from './rewrite.ts';
import { smallPreload } from './small-preload.ts';
import { removeUnused, scriptNamesIn } from './unused.ts';

/*
 * A content page carries its few KB of script in itself: one round trip, whatever the bundler shares between pages.
 * A page with islands shares its modules with them, and asks for all of them at once.
 */

const BASE = '/_astro';
const GUARD = fileURLToPath(new URL('../../src/components/chunk-guard.ts', import.meta.url));

function refuseSecondCopies(
  page: string,
  names: readonly string[],
  later: readonly string[],
  graph: ChunkGraph,
): void {
  for (const name of later) {
    const doubled = graph.stateful.get(name) ?? [];
    if (doubled.length === 0) continue;
    throw new Error(
      `${page} would hold two copies of ${doubled.map((id) => basename(id)).join(', ')}: one in itself ` +
        `(${names.join(', ')}), one in ${name}, which it loads later. Let the later part return what it finds, ` +
        'and call the store from the page.',
    );
  }
}

export function pageScripts(): AstroIntegration {
  let graph: ChunkGraph | undefined;
  let later = new Map<string, readonly string[]>();

  const observer: Plugin = {
    name: 'chunk-graph',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const short = chunks.map((chunk) => ({
        ...chunk,
        fileName: basename(chunk.fileName),
        imports: chunk.imports.map((name) => basename(name)),
      }));
      graph = graphOf(short, (id) => this.getModuleInfo(id));
      later = new Map(
        chunks.map(({ fileName, dynamicImports }) => [
          basename(fileName),
          dynamicImports.map((name) => basename(name)),
        ]),
      );
    },
  };

  return {
    name: 'page-scripts',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [smallPreload(), observer] } });
      },
      'astro:build:done': async ({ dir }) => {
        const dist = fileURLToPath(dir);
        const folder = join(dist, BASE);
        const bundles = new Map<string, string>();
        const guard = await classicScript(GUARD);
        const named = new Set<string>();
        const finish = (page: string, html: string): void => {
          writeFileSync(join(dist, page), html);
          for (const name of scriptNamesIn(html)) named.add(name);
        };
        for (const page of globSync('**/*.html', { cwd: dist })) {
          const html = readFileSync(join(dist, page), 'utf8');
          const { scripts, islands } = scriptsOf(html);
          if (!graph || scripts.length === 0) continue;
          if (islands.length > 0) {
            finish(
              page,
              await bundleIslands(basename(page, '.html'), html, graph, { folder, base: BASE, guard }),
            );
            continue;
          }
          const key = scripts.join();
          const parts = closure(scripts, graph);
          refuseSecondCopies(
            page,
            parts,
            parts.flatMap((name) => later.get(name) ?? []),
            graph,
          );
          const code = bundles.get(key) ?? (await bundleScripts(scripts, folder, BASE));
          bundles.set(key, code);
          finish(page, withInlineScript(html, code));
        }
        removeUnused(folder, named);
      },
    },
  };
}
