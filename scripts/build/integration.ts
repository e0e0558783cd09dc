import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { codeHash } from './code-hash.ts';
import { ISLAND_SCRIPTS } from './island-scripts.ts';

/** Facts about the build that the code of the pages reads as constants (src/env.d.ts). */
const constants = (outDir: URL | undefined): Record<string, string> => ({
  // Part of every product page's cacheKey (src/catalogue/product-pages.ts): a change of code or settings rebuilds it.
  __CODE_HASH__: JSON.stringify(codeHash(process.env)),
  __SITE_FOLDER__: JSON.stringify(outDir ? fileURLToPath(outDir) : ''),
  __ISLAND_SCRIPTS__: JSON.stringify(outDir ? ISLAND_SCRIPTS : ''),
});

/**
 * Defines the build's constants, and clears Astro's page cache after a killed build. Such a build has written new pages
 * to the cache but not the list that describes them, so the next build could restore a page with the wrong content.
 */
export function incrementalBuild(): AstroIntegration {
  let cache: URL;
  let unfinished: URL;
  return {
    name: 'incremental-build',
    hooks: {
      'astro:config:setup': ({ config, command, updateConfig }) => {
        cache = config.cacheDir;
        unfinished = new URL('unfinished-build', cache);
        updateConfig({ vite: { define: constants(command === 'build' ? config.outDir : undefined) } });
      },
      'astro:build:start': () => {
        if (existsSync(unfinished)) rmSync(cache, { recursive: true, force: true });
        mkdirSync(cache, { recursive: true });
        writeFileSync(unfinished, '');
      },
      'astro:build:done': () => rmSync(unfinished, { force: true }),
    },
  };
}
