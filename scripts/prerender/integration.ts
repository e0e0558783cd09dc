import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { classicScript } from '#scripts/page-scripts/bundle.ts';
import { bundleContentParts } from '#scripts/page-scripts/content-parts.ts';
import { chunkObserver } from '#scripts/page-scripts/observer.ts';
import { smallPreload } from '#scripts/page-scripts/small-preload.ts';
import { CLIENT, descriptionFile, type Kept, SERVER } from './kept.ts';

const GUARD = fileURLToPath(new URL('../../src/components/chunk-guard.ts', import.meta.url));
/** Where Astro leaves the compiled pages while it uses them, within its output. */
const COMPILED = '.prerender';
const ASSETS = '_astro';

type Styles = Kept['styles'][number][1];

/** What astro/dist/entrypoints/prerender.js exports beside the app: see families.ts. */
const exportRuntime: Plugin = {
  name: 'export-runtime',
  transform: {
    filter: { id: /\/astro\/dist\/entrypoints\/prerender\.js$/ },
    handler: (code) => ({
      code: `${code}\nexport { renderToString } from '../runtime/server/index.js';`,
      map: null,
    }),
  },
};

const inlineStyles = (
  styles: readonly { depth: number; order: number; sheet: { type: string; content?: string } }[],
): Styles =>
  styles.map(({ depth, order, sheet: { type, content } }) => {
    if (type !== 'inline' || content === undefined) throw new Error('A style sheet is a file of its own.');
    return { depth, order, sheet: { type, content } };
  });

/** With KEEP_RENDERER, `astro build` compiles the shop into that folder and makes no page (main.ts does). */
export function keepRenderer(folder = process.env.KEEP_RENDERER): AstroIntegration {
  const observer = chunkObserver();
  let styles: () => Kept['styles'] = () => [];

  async function keep(): Promise<void> {
    if (folder === undefined) return;
    renameSync(join(folder, CLIENT, COMPILED), join(folder, SERVER));
    const content = await bundleContentParts(
      [...(globalThis.builtChunks ?? [])],
      join(folder, CLIENT, ASSETS),
      observer.single(),
    );
    const kept: Kept = {
      styles: styles(),
      chunks: content.parts.map(([source, files]) => [source, [...files]]),
      moved: [...content.moved],
      graph: observer.graph(),
      guard: await classicScript(GUARD),
    };
    writeFileSync(descriptionFile(folder), JSON.stringify(kept));
  }

  return {
    name: 'keep-renderer',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [smallPreload(), observer.plugin, exportRuntime] } });
      },
      'astro:build:setup': ({ pages, target }) => {
        if (target === 'server')
          styles = () => [...pages].map(([key, page]) => [key, inlineStyles(page.styles)]);
      },
      'astro:build:start': ({ setPrerenderer }) => {
        if (folder === undefined) return;
        setPrerenderer({
          name: 'keep-renderer',
          getStaticPaths: () => keep().then(() => []),
          render: () => Promise.reject(new Error('No page is made while compiling.')),
        });
      },
    },
  };
}
