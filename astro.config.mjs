import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { Features } from 'lightningcss';
import { loadEnv } from '#server/settings/load.ts';
import packageJson from './package.json' with { type: 'json' };
import { incrementalBuild } from './scripts/build/integration.ts';
import { sharedFiles } from './scripts/build/shared-files.ts';
import { inlineScripts, islandScripts, reactPreamble } from './scripts/build/vite-plugins.ts';

loadEnv();

/** Shortens `Shell.astro_astro_type_script_index_0_lang` to `Shell`, because every page names its scripts. */
const entryFileNames = ({ name }) => `_astro/${name.replace(/\.astro.*/, '')}.[hash].js`;

/** The browsers that are served, as Vite names them: 'safari16.4'. */
const target = packageJson.browserslist.map((each) => each.replace('ios_saf', 'ios').replace(' >= ', ''));

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
    // Astro looks for packages of the browser in every .tsx file. Those of the server are none.
    optimizeDeps: { entries: ['!src/server/**'] },
    plugins: [tailwindcss(), inlineScripts(), islandScripts(), reactPreamble(), sharedFiles()],
    environments: {
      client: {
        build: { target, rolldownOptions: { output: { entryFileNames } } },
      },
    },
    // No sheet uses light-dark(), for which every page would get two more rules.
    css: { lightningcss: { exclude: Features.LightDark } },
    build: {
      cssMinify: 'lightningcss',
      cssTarget: target,
      modulePreload: { polyfill: false },
      // A module may be a dynamic import on one page and a static import on another.
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
    },
  },
});
