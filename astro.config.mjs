import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { loadEnv } from '#server/settings/load.ts';
import { incrementalBuild } from './scripts/build/integration.ts';
import { sharedFiles } from './scripts/build/shared-files.ts';
import { inlineScripts, islandScripts, reactPreamble } from './scripts/build/vite-plugins.ts';

loadEnv();

/** Every page names its scripts. The script of Shell.astro is `Shell` alone, without Astro's 36 letters more. */
const entryFileNames = ({ name }) => `_astro/${name.replace(/\.astro.*/, '')}.[hash].js`;

export default defineConfig({
  output: 'static',
  cacheDir: './.cache/astro',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always', assets: '_astro' },
  compressHTML: 'jsx',
  devToolbar: { enabled: false },
  experimental: { incrementalBuild: true },
  integrations: [react(), incrementalBuild()],
  vite: {
    envDir: false,
    cacheDir: '.cache/vite',
    plugins: [tailwindcss(), inlineScripts(), islandScripts(), reactPreamble()],
    environments: {
      client: {
        build: { rolldownOptions: { output: { entryFileNames, codeSplitting: { groups: sharedFiles } } } },
      },
    },
    build: {
      cssMinify: 'lightningcss',
      modulePreload: { polyfill: false },
      // A module that one page loads later may be in another page's script from the start.
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
    },
  },
});
