import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { CAPABILITY_NAMES, type CapabilityName } from '#domain/capabilities.ts';
import { codeHash } from './code-hash.ts';
import { readCapabilities } from './read-store-info.ts';
import { ISLAND_SCRIPTS } from './vite-plugins.ts';

/** Retries of the first request to the API. In `npm run dev` the API starts at the same time as the site. */
const RETRIES = { build: 2, dev: 60 };

/** Facts about the build that the code of the pages reads as constants (src/env.d.ts). */
function constants(outDir: URL | undefined, supported: readonly CapabilityName[]): Record<string, string> {
  const capabilities = CAPABILITY_NAMES.map((name) => [name, supported.includes(name)] as const);
  return {
    // Part of every product page's cacheKey (src/catalogue/product-pages.ts): a change of code, settings or capabilities rebuilds it.
    __CODE_HASH__: JSON.stringify(codeHash({ ...process.env, PUBLIC_CAPABILITIES: supported.join() })),
    __SITE_FOLDER__: JSON.stringify(outDir ? fileURLToPath(outDir) : ''),
    __ISLAND_SCRIPTS__: JSON.stringify(outDir ? ISLAND_SCRIPTS : ''),
    __CAPABILITIES__: JSON.stringify(Object.fromEntries(capabilities)),
    // Each capability also by its full name: otherwise the bundler does not drop the code of missing capabilities.
    ...Object.fromEntries(
      capabilities.map(([name, isSupported]) => [`__CAPABILITIES__.${name}`, String(isSupported)]),
    ),
  };
}

/**
 * Defines the build's constants, and clears Astro's page cache after a killed build. Such a build has written new
 * pages to the cache without the list that describes them, so the next build could restore a page with wrong
 * content.
 */
export function incrementalBuild(): AstroIntegration {
  let cache: URL;
  let unfinished: URL;
  return {
    name: 'incremental-build',
    hooks: {
      'astro:config:setup': async ({ config, command, updateConfig }) => {
        cache = config.cacheDir;
        unfinished = new URL('unfinished-build', cache);
        if (command !== 'build' && command !== 'dev') return;
        const capabilities = await readCapabilities(process.env, RETRIES[command]);
        updateConfig({
          vite: { define: constants(command === 'build' ? config.outDir : undefined, capabilities) },
        });
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
