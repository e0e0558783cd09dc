import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { codeHash } from './code-hash.ts';

/** What pages may need to know of the build, as constants of their code (src/env.d.ts). */
const constants = (outDir: URL | undefined): Record<string, string> => ({
  // Astro makes every page anew when its configuration changes, and so when the code or a setting does.
  __CODE_HASH__: JSON.stringify(codeHash(process.env)),
  __SITE_FOLDER__: JSON.stringify(outDir ? fileURLToPath(outDir) : ''),
});

/**
 * Tells pages what they are built from and to, and keeps Astro's cache of pages honest: a build that is killed has
 * written pages into the cache, but not the list that says what they were made of, and the next build would bring them
 * back for another content. It begins without the cache.
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
      'astro:build:done': () => rmSync(unfinished),
    },
  };
}
